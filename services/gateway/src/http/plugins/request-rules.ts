import { isUtf8 } from 'node:buffer'

import type { FastifyInstance } from 'fastify'

import { HttpProblem } from '../problem.ts'

/**
 * Rejects requests that break rules of HTTP which Node would answer without a body, or not at all:
 * no Host, an unknown expectation, a compressed body, a query that isn't UTF-8.
 */
export function addRequestRules(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { host, expect } = request.headers
    if (host === undefined && request.raw.httpVersion === '1.1')
      return done(new HttpProblem(400, 'invalid_argument', 'the request has no Host header'))
    if (expect !== undefined && expect.toLowerCase() !== '100-continue')
      return done(
        new HttpProblem(417, 'expectation_failed', 'the only supported Expect is 100-continue'),
      )
    return done()
  })
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (encoding.toLowerCase() === 'identity') return done()
    reply.header('accept-encoding', 'identity')
    const message = 'the request body must not be compressed: send it without Content-Encoding'
    return done(new HttpProblem(415, 'unsupported_media_type', message))
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const mark = request.url.indexOf('?')
    if (mark === -1 || isUtf8Query(request.url.slice(mark))) return done()
    const message = 'the query is not valid percent-encoded UTF-8'
    return done(new HttpProblem(400, 'invalid_argument', message))
  })
}

/** Whether the escapes of a query are UTF-8. A `%` that begins no escape stands for itself. */
function isUtf8Query(query: string): boolean {
  if (!query.includes('%')) return true
  const bytes = query.replaceAll(/%([\da-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
  return isUtf8(Buffer.from(bytes, 'latin1'))
}
