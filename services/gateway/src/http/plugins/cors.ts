import type { FastifyInstance } from 'fastify'

import type { GatewayContext } from '../../context.ts'
import { addVary } from './etag-and-compression.ts'

const METHODS = 'GET, HEAD, POST, PUT, DELETE'
const REQUEST_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, Traceparent, X-Cli-Version, X-Request-Id'
const EXPOSED_HEADERS =
  'ETag, Idempotency-Replayed, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, WWW-Authenticate, X-Request-Id'
const PREFLIGHT_SECONDS = '600'

/**
 * Lets the pages of the configured origins read answers
 * (https://fetch.spec.whatwg.org/#http-cors-protocol). Tokens go in a header, so cookies are never
 * allowed. Without origins nothing is added.
 */
export function addCors(app: FastifyInstance, { config }: GatewayContext): void {
  if (config.corsOrigins.length === 0) return
  const origins = new Set(config.corsOrigins)
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (origin === undefined || !origins.has(origin)) return done()
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-expose-headers', EXPOSED_HEADERS)
    if (
      request.method !== 'OPTIONS' ||
      request.headers['access-control-request-method'] === undefined
    )
      return done()
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
