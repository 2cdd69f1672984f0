import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'

/** The response of a route. */
export interface Answer {
  readonly status: number
  readonly body: unknown
}

/**
 * Serves JSON on a port of all addresses until SIGTERM. `/healthz` returns 200 if `isReady` returns
 * true, otherwise 503.
 */
export async function serve(
  port: number,
  isReady: () => Promise<boolean>,
  route: (method: string, path: string, body: string) => Promise<Answer>,
): Promise<void> {
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/' } = request
    void (async () => {
      const answer =
        url === '/healthz'
          ? { status: (await isReady()) ? 200 : 503, body: {} }
          : await route(method, url, await textOf(request))
      response
        .writeHead(answer.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer.body))
    })().catch((error: unknown) => {
      console.error(
        JSON.stringify({ level: 'error', event: 'request_failed', message: String(error) }),
      )
      response.writeHead(500).end()
    })
  })
  process.once('SIGTERM', () => {
    server.close()
    server.closeIdleConnections()
  })
  server.listen(port)
  await once(server, 'listening')
  console.log(JSON.stringify({ level: 'info', event: 'listening', port }))
  await once(server, 'close')
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
