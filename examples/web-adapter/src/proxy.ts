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

/** The adapter's own health endpoint; all other paths belong to the agent. */
export const HEALTH_PATH = '/-/healthz'

const TOO_LARGE = 'the body is too large'

/** Returns an HTTP server that forwards requests to the agent and streams both bodies. */
export function createProxy(config: Config): Server {
  let active = 0
  return createServer((incoming, outgoing) => {
    if (incoming.url === HEALTH_PATH) return answer(outgoing, 200, { status: 'ok' })
    if (incoming.url?.startsWith('/') !== true)
      return refuse(outgoing, 400, 'the request has no path')
    if (Number(incoming.headers['content-length'] ?? 0) > config.limits.bodyBytes)
      return refuse(outgoing, 413, TOO_LARGE)
    if (active >= config.limits.requests)
      return refuse(outgoing, 503, 'too many concurrent requests')
    active += 1
    outgoing.once('close', () => {
      active -= 1
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
    // A new connection for each request: the agent may close an idle one just as the next request
    // is sent, and not every request may be retried.
    agent: false,
    timeout: limits.silenceMs,
  })
  const giveUp = (status: number, text: string): void => {
    failure ??= { status, text }
    sent.destroy()
  }

  const connecting = setTimeout(
    () => giveUp(504, 'the agent does not accept connections'),
    limits.connectMs,
  )
  sent.once('socket', (socket) => socket.once('connect', () => clearTimeout(connecting)))
  sent.once('timeout', () => giveUp(504, 'the agent does not respond'))
  sent.once('close', () => clearTimeout(connecting))

  sent.once('response', (response) => {
    outgoing.writeHead(
      response.statusCode ?? 502,
      response.statusMessage,
      passedHeaders(response).flat(),
    )
    // The first byte of an event stream may take long.
    outgoing.flushHeaders()
    // Closes the client's connection if the response breaks off, so that it doesn't look complete.
    pipeline(response, outgoing, () => undefined)
  })
  sent.once('error', (error) => {
    if (outgoing.destroyed) return // the client is gone
    if (outgoing.headersSent) {
      // The agent may respond before it has read the request's body; a failure of the rest of that
      // body doesn't affect the response.
      if (failure !== undefined) outgoing.destroy()
      return
    }
    if (failure === undefined)
      log('warn', 'agent_unreachable', { method: incoming.method, error: error.message })
    const { status, text } = failure ?? { status: 502, text: 'the agent cannot be reached' }
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
  // The rest of an unread body must not be parsed as the next request.
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
