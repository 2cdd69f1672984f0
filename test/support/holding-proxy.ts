import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A TCP line that can be held: what the server says then waits until it is let go. */
export interface HoldingProxy extends AsyncDisposable {
  /** host:port to connect to instead of the server's. */
  readonly address: string
  /** From now on nothing of what the server says arrives. */
  hold(): void
  /** Everything that was held arrives, in order. */
  release(): void
}

/** Puts a line that can be held between a client and the server at `target`, which is host:port. */
export async function holdingProxy(target: string): Promise<HoldingProxy> {
  const separator = target.lastIndexOf(':')
  const sockets = new Set<Socket>()
  const answers = new Set<Socket>()
  let isHolding = false
  const server = createServer((client) => {
    const upstream = connect(Number(target.slice(separator + 1)), target.slice(0, separator))
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        answers.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    answers.add(upstream)
    client.on('data', (bytes) => upstream.write(bytes))
    upstream.on('data', (bytes) => client.write(bytes))
    if (isHolding) upstream.pause()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    address: `127.0.0.1:${address.port}`,
    hold() {
      isHolding = true
      for (const socket of answers) socket.pause()
    },
    release() {
      isHolding = false
      for (const socket of answers) socket.resume()
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
