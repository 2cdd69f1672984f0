import { timingSafeEqual, createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
} from '@opentelemetry/api'
import type { Chat } from './chat.ts'
import type { Config } from './config.ts'
import { isKnowledge } from './knowledge.ts'
import { log } from './log.ts'

const MAX_MESSAGE_CHARACTERS = 4_000
const MAX_CHAT_BYTES = 64 * 1024
const MAX_KNOWLEDGE_BYTES = 8 * 1024 * 1024

class HttpError extends Error {
  readonly status: number
  constructor(status: number, text: string) {
    super(text)
    this.status = status
  }
}

interface Reply {
  status: number
  body: unknown
}

async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop early must not close the connection, on which the answer is sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > maxBytes) throw new HttpError(413, `the body may have at most ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown
  } catch {
    throw new HttpError(400, 'the body must be JSON')
  }
}

function messageOf(body: unknown): string {
  const text =
    typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined
  if (typeof text !== 'string' || text.trim() === '')
    throw new HttpError(400, '"message" must be a string that is not empty')
  if (text.length > MAX_MESSAGE_CHARACTERS) {
    throw new HttpError(400, `"message" may have at most ${MAX_MESSAGE_CHARACTERS} characters`)
  }
  return text
}

/** Compares hashes, so that the time it takes reveals neither length nor content. */
function isBearer(header: string | undefined, token: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(header ?? ''), hash(`Bearer ${token}`))
}

async function chat(request: IncomingMessage, span: Span, agent: Chat): Promise<Reply> {
  const text = messageOf(await readJson(request, MAX_CHAT_BYTES))
  span.setAttribute('input.value', text)
  const answer = agent.answer(text)
  span.setAttribute('output.value', answer.answer)
  return { status: 200, body: answer }
}

async function learn(request: IncomingMessage, agent: Chat, config: Config): Promise<Reply> {
  if (!isBearer(request.headers.authorization, config.apiToken))
    throw new HttpError(401, 'the API token is required')
  const body = await readJson(request, MAX_KNOWLEDGE_BYTES)
  if (!isKnowledge(body)) throw new HttpError(400, 'the body must have a version and articles')
  agent.learn(body)
  log('info', 'knowledge_replaced', agent.status)
  return { status: 200, body: agent.status }
}

/** The agent's HTTP server: `GET /healthz`, `POST /chat`, `PUT /admin/knowledge`. */
export function createAgentServer(agent: Chat, config: Config): Server {
  const tracer = trace.getTracer('support-agent')

  async function traced(request: IncomingMessage): Promise<Reply> {
    const parent = propagation.extract(context.active(), request.headers)
    const attributes = {
      'http.request.method': 'POST',
      'http.route': '/chat',
      'url.path': '/chat',
      'url.scheme': 'http',
      'gen_ai.agent.name': config.agentName,
      'gen_ai.agent.version': config.build,
    }
    return tracer.startActiveSpan(
      'POST /chat',
      { kind: SpanKind.SERVER, attributes },
      parent,
      async (span) => {
        const reply = await chat(request, span, agent).catch((error: unknown) =>
          failed(error, span),
        )
        span.setAttribute('http.response.status_code', reply.status)
        span.end()
        return reply
      },
    )
  }

  async function route(request: IncomingMessage): Promise<Reply> {
    const path = new URL(request.url ?? '/', 'http://agent').pathname
    const operation = `${request.method} ${path}`
    if (operation === 'GET /healthz')
      return { status: 200, body: { status: 'ok', knowledge: agent.status } }
    if (operation === 'POST /chat') return traced(request)
    if (operation === 'PUT /admin/knowledge') return learn(request, agent, config)
    const known = ['/healthz', '/chat', '/admin/knowledge'].includes(path)
    throw known
      ? new HttpError(405, `${path} does not support ${request.method}`)
      : new HttpError(404, 'not found')
  }

  return createServer((request, response) => {
    const start = performance.now()
    route(request)
      .catch((error: unknown) => failed(error))
      .then(({ status, body }) => {
        send(response, status, body)
        // Kubernetes probes every few seconds, which would fill the log.
        if (request.url === '/healthz') return
        const durationMs = Math.round(performance.now() - start)
        log('info', 'request', { method: request.method, path: request.url, status, durationMs })
      })
      .catch((error: unknown) => log('error', 'answer_not_sent', { error: String(error) }))
  })
}

function failed(error: unknown, span?: Span): Reply {
  if (error instanceof HttpError) return { status: error.status, body: { error: error.message } }
  log('error', 'request_failed', {
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  })
  span?.setStatus({
    code: SpanStatusCode.ERROR,
    message: error instanceof Error ? error.message : String(error),
  })
  return { status: 500, body: { error: 'internal error' } }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  // The rest of an unread body must not be parsed as the next request.
  if (!response.req.complete) response.setHeader('connection', 'close')
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}
