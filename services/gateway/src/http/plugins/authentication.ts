import { Unauthenticated } from '@slipway/shared/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { GatewayContext } from '../../context.ts'
import { HttpProblem } from '../problem.ts'
import { isInApi } from '../api-scope.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Who may call the route. `user` (the default): people with a good token. `optional`: anyone, a
     * good token tells who it is, a bad one counts as none, one that can't be checked now doesn't.
     * `public`: anyone, the token isn't looked at.
     */
    access?: 'public' | 'optional' | 'user'
  }
}

const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i

/** Checks the access token before anything else of a request is looked at. */
export function addAuthentication(app: FastifyInstance, { tokenVerifier }: GatewayContext): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || !isInApi(request)) return done()
    const access = request.routeOptions.config.access ?? 'user'
    if (access === 'public') return done()
    const { authorization } = request.headers
    const token = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]
    if (token === undefined) {
      if (access === 'optional') return done()
      const problem =
        authorization === undefined
          ? new HttpProblem(401, 'token_required', 'an access token is required')
          : new HttpProblem(
              401,
              'invalid_token',
              'the header Authorization must be Bearer and an access token',
            )
      return done(problem)
    }
    const verified = tokenVerifier.verify(token).then((caller) => {
      // Services talk to each other, never through the gateway.
      if (caller.kind !== 'user')
        throw new Unauthenticated('invalid_token', 'the access token is not valid')
      request.caller = caller
    })
    void settle(access === 'optional' ? verified.catch(passIfRefused) : verified, done)
  })
}

function passIfRefused(error: unknown): void {
  if (!(error instanceof Unauthenticated)) throw error
}

async function settle(work: Promise<void>, done: (error?: Error) => void): Promise<void> {
  let failure: Error | undefined
  try {
    await work
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
  }
  done(failure)
}

/** The `WWW-Authenticate` challenge of a 401 (RFC 6750, section 3). */
export function challengeFor(request: FastifyRequest): string {
  return request.headers.authorization === undefined ? 'Bearer' : 'Bearer error="invalid_token"'
}
