import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection whose client reads only the beginning of the first response. */
export interface UnreadConnection extends Disposable {
  /** The beginning of the first response; empty if the server closed the connection. */
  readonly start: string
}

/** Options of an unread connection. */
export interface UnreadOptions {
  readonly token?: string
  /** The number of requests, sent at once; 1 by default. */
  readonly requests?: number
  /** The client's address; 127.0.0.1 by default. */
  readonly from?: string
}

/** Sends requests for a path below `/api/v1`, and stops reading after the first bytes. */
export async function sendUnread(
  origin: string,
  path: string,
  { token, requests = 1, from = '127.0.0.1' }: UnreadOptions = {},
): Promise<UnreadConnection> {
  const { hostname, port } = new URL(origin)
  const socket: Socket = connect({ host: hostname, port: Number(port), localAddress: from })
  socket.on('error', () => {})
  const authorization = token === undefined ? '' : `authorization: Bearer ${token}\r\n`
  socket.write(`GET /api/v1${path} HTTP/1.1\r\nhost: x\r\n${authorization}\r\n`.repeat(requests))
  const [bytes] = (await Promise.race([
    once(socket, 'data'),
    once(socket, 'close').then(() => []),
  ])) as [Buffer?]
  socket.pause()
  return {
    start: bytes?.toString('latin1') ?? '',
    [Symbol.dispose]: () => void socket.destroy(),
  }
}
