import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'

/** A request that the server has received. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** What the server does with a request. */
export type Step = (response: ServerResponse, request: ReceivedRequest) => void

/** A server for what a real gateway can't be brought to: it follows a script. */
export interface ScriptedServer extends AsyncDisposable {
  readonly url: string
  readonly requests: readonly ReceivedRequest[]
}

/** Starts a server that handles one request after the other with a step, and then all with 404. */
export async function scriptedServer(...steps: readonly Step[]): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = []
  const server = createServer((incoming, response) => {
    void readText(incoming).then((body) => {
      const { method = '', url: path = '', headers } = incoming
      const request = { method, path, headers, body }
      const step = steps[requests.length] ?? problem(404, 'route_not_found')
      requests.push(request)
      step(response, request)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Answers with JSON. */
export function json(body: object, status = 200): Step {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
}

/** Answers with a problem body. */
export function problem(
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
  members: object = {},
): Step {
  return (response, { path }) => {
    const body = { status, code, detail: `why ${code}`, instance: path, ...members }
    response
      .writeHead(status, { 'content-type': 'application/problem+json', ...headers })
      .end(JSON.stringify({ ...body, request_id: 'r-1' }))
  }
}

/** Sends the head and a part of the body, and cuts the connection. */
export const cutBody: Step = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('{"agents":', () => response.socket?.resetAndDestroy())
}

/** Cuts the connection without a response. */
export const cutRequest: Step = (response) => response.socket?.resetAndDestroy()

/** Never answers. */
export const silence: Step = () => {}
