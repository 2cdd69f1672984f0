import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A TCP line to an HTTP/2 server that can be held: what the server says then waits until it is let go. */
export interface HoldingProxy extends AsyncDisposable {
  /** host:port to connect to instead of the server's. */
  readonly address: string
  /** Answers that wait, whole. */
  readonly heldAnswers: number
  /** From now on nothing of what the server says arrives. */
  hold(): void
  /** Everything that was held arrives, in order. */
  release(): void
}

/** Puts a line that can be held between a client and the server at `target`, which is host:port. */
export async function holdingProxy(target: string): Promise<HoldingProxy> {
  const separator = target.lastIndexOf(':')
  const sockets = new Set<Socket>()
  /** What waits for each client. */
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
      return [...held.values()].reduce((sum, chunks) => sum + endedStreams(Buffer.concat(chunks)), 0)
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

const FRAME_HEADER_BYTES = 9
const [HEADERS, END_STREAM] = [0x1, 0x1]

/** Streams that end in what an HTTP/2 server has said, from the start of a frame: those with trailers, as gRPC has them. */
function endedStreams(bytes: Buffer): number {
  let count = 0
  for (let at = 0; at + FRAME_HEADER_BYTES <= bytes.length; at += FRAME_HEADER_BYTES + bytes.readUIntBE(at, 3)) {
    if (bytes[at + 3] === HEADERS && ((bytes[at + 4] ?? 0) & END_STREAM) !== 0) count += 1
  }
  return count
}
