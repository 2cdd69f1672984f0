import { HttpProblem } from '../problem.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { GatewayContext } from '../context.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Who may call the route. `user` (the default): people with a good token. `optional`: anyone, a good token tells
     * who it is, a bad one counts as none. `public`: anyone, the token isn't looked at.
     */
    access?: 'public' | 'optional' | 'user'
  }
}

const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i

/** Checks the access token before anything else of a request is looked at. */
export function addAuthentication(app: FastifyInstance, { tokenVerifier }: GatewayContext): void {
  app.addHook('onRequest', async (request) => {
    // Outside the API there are only health and the pages that describe it.
    if (request.is404 || !request.url.startsWith('/api/')) return
    const access = request.routeOptions.config.access ?? 'user'
    if (access === 'public') return
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1]
    if (access === 'optional') {
      const caller = token === undefined ? undefined : await tokenVerifier.verify(token).catch(() => undefined)
      request.caller = caller?.kind === 'user' ? caller : undefined
      return
    }
    if (token === undefined) {
      const sent = request.headers.authorization !== undefined
      throw new HttpProblem(401, sent ? 'invalid_token' : 'token_required', 'an access token is required')
    }
    const caller = await tokenVerifier.verify(token)
    // Services talk to each other, never through the gateway.
    if (caller.kind !== 'user') throw new HttpProblem(401, 'invalid_token', 'the access token is not valid')
    request.caller = caller
  })
}

/** The `WWW-Authenticate` challenge of a 401 (RFC 6750, section 3). */
export function challengeFor(request: FastifyRequest): string {
  return request.headers.authorization === undefined ? 'Bearer' : 'Bearer error="invalid_token"'
}
