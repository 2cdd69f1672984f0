import { bearerToken, type TokenVerifier } from '@slipway/shared/auth'
import { Unauthenticated } from '@slipway/shared/errors'
import type { FastifyInstance } from 'fastify'

import { isInApi } from '../api-scope.ts'
import { HttpProblem } from '../problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether the route needs an access token.
     * - `user` (the default): a valid token is required.
     * - `optional`: a valid token identifies the caller and an invalid one is ignored. A token that
     *   can't be verified now is still an error, so that a user never sees less than allowed.
     * - `public`: the token is ignored.
     */
    access?: 'public' | 'optional' | 'user'
  }
}

/** Verifies the access token before the rest of a request is read. */
export function addAuthentication(app: FastifyInstance, tokenVerifier: TokenVerifier): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || !isInApi(request)) return done()
    const access = request.routeOptions.config.access ?? 'user'
    if (access === 'public') return done()
    const { authorization } = request.headers
    const token = bearerToken(authorization)
    if (token === undefined)
      return done(access === 'optional' ? undefined : missingToken(authorization))
    const verified = tokenVerifier.verify(token).then((caller) => {
      // Services call each other directly, never through the gateway.
      if (caller.kind !== 'user')
        throw new Unauthenticated('invalid_token', 'the access token is not valid')
      request.caller = caller
    })
    void settle(access === 'optional' ? verified.catch(ignoreInvalidToken) : verified, done)
  })
}

function missingToken(authorization: string | undefined): HttpProblem {
  return authorization === undefined
    ? new HttpProblem(401, 'token_required', 'an access token is required')
    : new HttpProblem(
        401,
        'invalid_token',
        'the Authorization header must be "Bearer" followed by an access token',
      )
}

function ignoreInvalidToken(error: unknown): void {
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
