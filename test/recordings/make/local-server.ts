import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'

/** A server on this machine. */
export interface LocalServer extends AsyncDisposable {
  readonly url: string
}

/** Where a server listens. */
export interface Place {
  readonly port: number
  readonly host: string
}

/** Starts a server, by default on a free port of the loopback address. */
export async function listen(
  server: Server,
  place: Place = { port: 0, host: '127.0.0.1' },
): Promise<LocalServer> {
  server.listen(place)
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the server has no address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Reads the whole body of a request. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
