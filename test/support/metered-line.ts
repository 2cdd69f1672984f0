import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A line to a server that tells what went over it. */
export interface MeteredLine extends AsyncDisposable {
  /** The server's URL, by way of the line. */
  readonly url: string
  /** Bytes of the server so far. The line takes no more of them than its near end takes from it. */
  readonly received: number
  /**
   * How many times the near end has sent something so far: at least once for each HTTP/1.1 request.
   */
  readonly sent: number
}

/** Puts such a line in front of the server at `target`, any URL with host and port. */
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
  if (address === null || typeof address === 'string') throw new Error('the line has no port')
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
