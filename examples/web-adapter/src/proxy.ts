import {
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { pipeline } from 'node:stream'
import type { Config } from './config.ts'
import { hasBody, passedHeaders, requestHeaders } from './headers.ts'
import { log } from './log.ts'

/** Where the adapter itself answers; everything else is the agent's. */
export const HEALTH_PATH = '/-/healthz'

const TOO_LARGE = 'the body is too large'

/** An HTTP server that hands every request on to the agent and streams what both sides send. */
export function createProxy(config: Config): Server {
  let underWay = 0
  return createServer((incoming, outgoing) => {
    if (incoming.url === HEALTH_PATH) return answer(outgoing, 200, { status: 'ok' })
    if (incoming.url?.startsWith('/') !== true)
      return refuse(outgoing, 400, 'the request names no path')
    if (Number(incoming.headers['content-length'] ?? 0) > config.limits.bodyBytes)
      return refuse(outgoing, 413, TOO_LARGE)
    if (underWay >= config.limits.requests)
      return refuse(outgoing, 503, 'too many requests are under way')
    underWay += 1
    outgoing.once('close', () => {
      underWay -= 1
    })
    forward(incoming, outgoing, config)
  })
}

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { agentUrl, limits }: Config,
): void {
  const start = performance.now()
  let failure: { status: number; text: string } | undefined
  const sent = request({
    host: agentUrl.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: agentUrl.port || 80,
    method: incoming.method,
    path: `${agentUrl.pathname.replace(/\/$/, '')}${incoming.url}`,
    headers: requestHeaders(incoming, agentUrl.host, incoming.socket.remoteAddress ?? ''),
    // A connection for each request: the agent may close a kept one just when the next request is
    // on its way, and not every request may be sent twice.
    agent: false,
    timeout: limits.silenceMs,
  })
  const giveUp = (status: number, text: string): void => {
    failure ??= { status, text }
    sent.destroy()
  }

  const connecting = setTimeout(
    () => giveUp(504, 'the agent does not take connections'),
    limits.connectMs,
  )
  sent.once('socket', (socket) => socket.once('connect', () => clearTimeout(connecting)))
  sent.once('timeout', () => giveUp(504, 'the agent does not answer'))
  sent.once('close', () => clearTimeout(connecting))

  sent.once('response', (response) => {
    outgoing.writeHead(
      response.statusCode ?? 502,
      response.statusMessage,
      passedHeaders(response).flat(),
    )
    // The first byte of a stream of events may be a long time coming.
    outgoing.flushHeaders()
    // An answer that breaks off breaks the client's connection: it must not look complete.
    pipeline(response, outgoing, () => undefined)
  })
  sent.once('error', (error) => {
    if (outgoing.destroyed) return // the client has left
    if (outgoing.headersSent) {
      // What goes wrong while a body is still handed on doesn't spoil an answer that is on its way.
      if (failure !== undefined) outgoing.destroy()
      return
    }
    if (failure === undefined)
      log('warn', 'agent_unreachable', { method: incoming.method, error: error.message })
    const { status, text } = failure ?? { status: 502, text: 'the agent can not be reached' }
    refuse(outgoing, status, text)
  })

  outgoing.once('close', () => {
    sent.destroy()
    const durationMs = Math.round(performance.now() - start)
    const complete = outgoing.writableFinished
    log('info', 'request', {
      method: incoming.method,
      status: outgoing.statusCode,
      complete,
      durationMs,
    })
  })

  if (!hasBody(incoming)) {
    sent.end()
    return
  }
  let size = 0
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.byteLength
    if (size > limits.bodyBytes) giveUp(413, TOO_LARGE)
  })
  incoming.pipe(sent)
}

function refuse(outgoing: ServerResponse, status: number, text: string): void {
  // What is left of the request would be taken for the next one.
  if (!outgoing.req.complete) outgoing.setHeader('connection', 'close')
  answer(outgoing, status, { error: text })
}

function answer(outgoing: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body)
  outgoing.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  outgoing.end(text)
}
