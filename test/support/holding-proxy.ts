import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A proxy in front of an HTTP/1.1 server that can hold the server's responses back. */
export interface HoldingProxy extends AsyncDisposable {
  /** host:port to connect to instead of the server's. */
  readonly address: string
  /** How many complete responses are held. */
  readonly heldAnswers: number
  /** Holds everything from the server back from now on. */
  hold(): void
  /** Delivers everything that was held, in order. */
  release(): void
}

/** Starts such a proxy in front of the server at `target`, host:port. */
export async function holdingProxy(target: string): Promise<HoldingProxy> {
  const separator = target.lastIndexOf(':')
  const sockets = new Set<Socket>()
  /** The held bytes by client. */
  const held = new Map<Socket, Buffer[]>()
  let isHolding = false
  const server = createServer((client) => {
    const upstream = connect(Number(target.slice(separator + 1)), target.slice(0, separator))
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        held.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    held.set(client, [])
    client.on('data', (bytes) => upstream.write(bytes))
    upstream.on('data', (bytes: Buffer) => {
      if (isHolding) held.get(client)?.push(bytes)
      else client.write(bytes)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    address: `127.0.0.1:${address.port}`,
    get heldAnswers() {
      return [...held.values()].reduce(
        (sum, chunks) => sum + wholeAnswers(Buffer.concat(chunks)),
        0,
      )
    },
    hold() {
      isHolding = true
    },
    release() {
      isHolding = false
      for (const [client, chunks] of held) for (const bytes of chunks.splice(0)) client.write(bytes)
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const HEAD_END = '\r\n\r\n'

/** Counts the complete responses in bytes of an HTTP/1.1 server that begin with one. */
function wholeAnswers(bytes: Buffer): number {
  let count = 0
  for (let at = 0; ; count += 1) {
    const headEnd = bytes.indexOf(HEAD_END, at)
    if (headEnd < 0) return count
    const length = /^content-length: (\d+)/im.exec(bytes.toString('latin1', at, headEnd))?.[1]
    at = headEnd + HEAD_END.length + Number(length)
    if (at > bytes.length) return count
  }
}
