import { once } from 'node:events'
import { connect } from 'node:net'

/** Whether a server of this machine accepts a connection; rejects with the socket's error. */
export async function acceptsConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } finally {
    socket.destroy()
  }
}
