import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What happens to a request instead of its forwarding; with `silence`, it gets no answer. */
export type Fault = 'reset' | 'silence' | { readonly status: number; readonly body: object }

/** A proxy in front of an HTTP/1.1 server that mistreats chosen requests. */
export interface FaultyProxy extends AsyncDisposable {
  readonly url: string
  /** The faults that were planted and not yet met. */
  readonly planted: number
  /** The next request like this, as `POST /path`, meets the fault. */
  plant(like: RegExp, fault: Fault): void
}

/** Starts such a proxy in front of the server at `target`, a URL without a path. */
export async function faultyProxy(target: string): Promise<FaultyProxy> {
  const faults: { readonly like: RegExp; readonly fault: Fault }[] = []
  const server = createServer((incoming, response) => {
    const line = `${incoming.method} ${incoming.url}`
    const index = faults.findIndex(({ like }) => like.test(line))
    const [met] = index < 0 ? [] : faults.splice(index, 1)
    if (met === undefined) forward(incoming, response, target)
    else if (met.fault === 'reset') (incoming.socket as Socket).resetAndDestroy()
    else if (met.fault === 'silence') incoming.resume()
    else answer(incoming, response, met.fault)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    get planted() {
      return faults.length
    },
    plant(like, fault) {
      faults.push({ like, fault })
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  { status, body }: Exclude<Fault, string>,
): void {
  incoming.resume().once('end', () => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
}

function forward(incoming: IncomingMessage, response: ServerResponse, target: string): void {
  const { method, headers } = incoming
  const forwarded = request(new URL(incoming.url ?? '/', target), { method, headers })
  forwarded.once('error', () => response.destroy())
  forwarded.once('response', (answered: IncomingMessage) => {
    response.writeHead(answered.statusCode ?? 0, answered.headers)
    answered.pipe(response)
  })
  incoming.pipe(forwarded)
}
