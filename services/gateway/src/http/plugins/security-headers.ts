import type { FastifyInstance } from 'fastify'

import { PAGE_POLICY, SECURITY_HEADERS } from '../responses/security-headers.ts'

/** Those under `/docs` also have pictures and styles in themselves. */
const DOCS_POLICY = `${PAGE_POLICY}; img-src 'self' data:; style-src 'self' 'unsafe-inline'`

/** Adds the security headers to every response. */
export function addSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS)
    if (request.routeOptions.url?.startsWith('/docs') === true)
      reply.header('content-security-policy', DOCS_POLICY)
    done()
  })
}
