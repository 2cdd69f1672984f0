import { bearerToken, type TokenVerifier } from '@slipway/shared/auth'
import { Unauthenticated } from '@slipway/shared/errors'
import type { Logger } from '@slipway/shared/logger'
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

/**
 * Verifies the access token before the rest of a request is read. Why a token is rejected is only
 * logged: operators need it, callers could use it to find a token that passes.
 */
export function addAuthentication(
  app: FastifyInstance,
  tokenVerifier: TokenVerifier,
  logger: Logger,
): void {
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
        throw new Unauthenticated('invalid_token', 'the access token is not valid', {
          cause: new Error('it is the token of a service'),
        })
      request.caller = caller
    })
    const logged = verified.catch((error: unknown) => {
      if (!(error instanceof Unauthenticated)) throw error
      const reason = error.cause instanceof Error ? error.cause.message : error.reason
      logger.info({ requestId: request.id, reason }, 'token_rejected')
      if (access !== 'optional') throw error
    })
    void settle(logged, done)
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

async function settle(work: Promise<void>, done: (error?: Error) => void): Promise<void> {
  let failure: Error | undefined
  try {
    await work
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
  }
  done(failure)
}
