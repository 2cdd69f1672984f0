import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A line to a server that tells how much is asked over it. */
export interface CountingLine extends AsyncDisposable {
  /** The server's URL, by way of the line. */
  readonly url: string
  /** How many times the near end has sent something so far: at least once for each HTTP/1.1 request. */
  sent(): number
}

/** Puts a line that counts in front of the server at `target`. */
export async function countingLine(target: string): Promise<CountingLine> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let sent = 0
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
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
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(address !== null && typeof address === 'object' ? address.port : 0)
  return {
    url: url.href,
    sent: () => sent,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
