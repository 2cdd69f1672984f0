import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A proxy that counts the bytes and messages it forwards. */
export interface MeteredLine extends AsyncDisposable {
  /** The server's URL through the proxy. */
  readonly url: string
  /** Bytes from the server so far. The proxy reads no faster than its client. */
  readonly received: number
  /**
   * The number of times the client has sent something so far: at least once per HTTP/1.1 request.
   */
  readonly sent: number
}

/** Starts such a proxy in front of the server at `target`, any URL with host and port. */
export async function meteredLine(target: string): Promise<MeteredLine> {
  const { port, hostname } = new URL(target)
  const sockets = new Set<Socket>()
  let received = 0
  let sent = 0
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    far.on('data', (bytes) => (received += bytes.length))
    near.on('data', () => (sent += 1))
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.once('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  return {
    url: url.href.replace(/\/$/, ''),
    get received() {
      return received
    },
    get sent() {
      return sent
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
