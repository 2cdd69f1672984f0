import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'

/** A running forward proxy. */
export interface ForwardProxy extends AsyncDisposable {
  /** Its URL, with the credentials that it requires. */
  readonly url: string
  /** Connections opened so far, each to `host:port`. */
  readonly targets: readonly string[]
  /** Connections that are open now. */
  readonly open: number
}

/** How a forward proxy handles a CONNECT request. */
export type ProxyBehavior = 'connect' | 'refuse' | 'ignore'

const CREDENTIALS = 'deployer:p%40ss'

/**
 * Starts a proxy that tunnels every CONNECT request to `destination` (`host:port`), whatever host
 * it names, so that a client gets there only through the proxy. It returns 407 to requests without
 * its credentials. With `refuse` it returns 403; with `ignore` it never responds.
 */
export async function startForwardProxy(
  destination: string,
  behavior: ProxyBehavior = 'connect',
): Promise<ForwardProxy> {
  const targets: string[] = []
  const sockets = new Set<Socket>()
  let open = 0
  const server = createServer()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('connect', (request: IncomingMessage, near: Socket) => {
    near.on('error', () => near.destroy())
    if (behavior === 'ignore') return
    const status = statusFor(request, behavior)
    if (status !== 200) {
      near.end(`HTTP/1.1 ${status} Refused\r\n\r\n`)
      return
    }
    targets.push(request.url ?? '')
    open++
    near.once('close', () => open--)
    const { hostname, port } = new URL(`http://${destination}`)
    const far = connect(Number(port), hostname, () => {
      near.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      near.pipe(far)
      far.pipe(near)
    })
    far.on('error', () => near.destroy())
    far.once('close', () => near.destroy())
    near.once('close', () => far.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    url: `http://${CREDENTIALS}@127.0.0.1:${address.port}`,
    targets,
    get open() {
      return open
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function statusFor({ headers }: IncomingMessage, behavior: ProxyBehavior): number {
  const expected = Buffer.from(decodeURIComponent(CREDENTIALS)).toString('base64')
  if (headers['proxy-authorization'] !== `Basic ${expected}`) return 407
  return behavior === 'refuse' ? 403 : 200
}
