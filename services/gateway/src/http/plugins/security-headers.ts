import type { FastifyInstance } from 'fastify'

/** What every answer tells browsers: it is data, to be neither guessed at, framed, nor run. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  // Browsers heed it only where they came by TLS.
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
} as const

/** The pages for people bring their own scripts and styles. */
const PAGES_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"

/** Adds the headers that keep browsers from doing harm with an answer. */
export function addSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS)
    if (request.routeOptions.url?.startsWith('/docs') === true)
      reply.header('content-security-policy', PAGES_POLICY)
    done()
  })
}
