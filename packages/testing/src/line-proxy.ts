import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A connection to a server that a test can freeze or cut. */
export interface LineProxy extends AsyncDisposable {
  /** The server's URL, through the proxy. */
  readonly url: string
  /** Holds back all bytes in both directions, like a network partition. */
  freeze(): void
  /** Ends a freeze; bytes that were held back are sent. */
  thaw(): void
  /** Holds back all that the server sends, until the connections are cut. */
  mute(): void
  /** The number of connections so far. */
  readonly connections: number
  /** Ends all connections; new ones are possible. */
  cut(): void
}

/** Options of a proxy. */
export interface LineProxyOptions {
  /** Replaces a chunk that the client sends to the server. */
  readonly alter?: (chunk: Buffer) => Buffer
}

/** Starts a proxy for the server at `target`, any URL with host and port. */
export async function lineProxy(
  target: string,
  { alter = (chunk) => chunk }: LineProxyOptions = {},
): Promise<LineProxy> {
  const url = new URL(target)
  const sockets = new Set<Socket>()
  const farSockets = new Set<Socket>()
  let isFrozen = false
  let isMute = false
  let connections = 0

  const server = createServer((near) => {
    connections += 1
    const far = connect(Number(url.port), url.hostname)
    farSockets.add(far)
    far.once('close', () => farSockets.delete(far))
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk: Buffer) => to.write(from === near ? alter(chunk) : chunk))
      from.on('error', () => to.destroy())
      from.once('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (isFrozen || (isMute && from === far)) from.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const proxied = new URL(target)
  proxied.hostname = '127.0.0.1'
  proxied.port = String(address.port)

  const cut = (): void => {
    isMute = false
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: proxied.href,
    get connections() {
      return connections
    },
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    mute() {
      isMute = true
      for (const socket of farSockets) socket.pause()
    },
    cut,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}
