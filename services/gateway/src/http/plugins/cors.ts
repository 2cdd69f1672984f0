import type { FastifyInstance } from 'fastify'

import { addVary } from '../responses/vary.ts'

const METHODS = 'GET, HEAD, POST, PUT, DELETE'
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'Traceparent',
  'Tracestate',
  'X-Cli-Version',
  'X-Request-Id',
].join(', ')
const EXPOSED_HEADERS = [
  'ETag',
  'Idempotency-Replayed',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ')
const PREFLIGHT_SECONDS = '600'

/**
 * Lets pages of the given origins call the API (https://fetch.spec.whatwg.org/#http-cors-protocol).
 * Tokens are sent in a header, so cookies are never allowed. Adds nothing if there are no origins.
 */
export function addCors(app: FastifyInstance, allowedOrigins: readonly string[]): void {
  if (allowedOrigins.length === 0) return
  const origins = new Set(allowedOrigins)
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (origin === undefined || !origins.has(origin)) return done()
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-expose-headers', EXPOSED_HEADERS)
    const isPreflight =
      request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    if (!isPreflight) return done()
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': REQUEST_HEADERS,
        'access-control-max-age': PREFLIGHT_SECONDS,
        vary: 'Origin',
      })
      .send()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (!String(reply.getHeader('vary')).includes('Origin')) addVary(reply, 'Origin')
    done(null, payload)
  })
}
