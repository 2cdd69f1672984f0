import { bearerToken, type TokenVerifier } from '@slipway/shared/auth'
import { Unauthenticated } from '@slipway/shared/errors'
import type { Logger } from '@slipway/shared/logger'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { cookieOf } from '../../sessions/cookie-of.ts'
import { hasSessionCookie } from '../../sessions/cookies.ts'
import { sessionEnded } from '../../sessions/session-store.ts'
import type { Sessions } from '../../sessions/sessions.ts'
import { isInApi } from '../requests/api-scope.ts'
import { HttpProblem } from '../problem.ts'
import { crossSiteProblem } from '../requests/same-origin.ts'
import { otherUserProblem } from '../requests/shown-user.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** For a caller with the session of a browser: a signal that fires when it has ended. */
    endOfSession: ((closed: AbortSignal) => AbortSignal) | undefined
  }
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

/** What authentication needs. */
interface AuthenticationOptions {
  readonly tokenVerifier: TokenVerifier
  /** Undefined if people can't sign in with a browser. */
  readonly sessions: Sessions | undefined
  readonly logger: Logger
}

/**
 * Verifies the access token before the rest of a request is read: that of the Authorization header,
 * or without this header that of the session of a browser. Why a token is rejected is only logged:
 * operators need it, callers could use it to find a token that passes.
 */
export function addAuthentication(
  app: FastifyInstance,
  { tokenVerifier, sessions, logger }: AuthenticationOptions,
): void {
  app.decorateRequest('endOfSession')
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || !isInApi(request)) return done()
    const access = request.routeOptions.config.access ?? 'user'
    if (access === 'public') return done()
    const { authorization } = request.headers
    const usesSession =
      authorization === undefined && sessions !== undefined && hasSessionCookie(request.raw)
    const given = usesSession ? undefined : bearerToken(authorization)
    if (given === undefined && !usesSession)
      return done(access === 'optional' ? undefined : missingToken(authorization))
    const authenticate = async (): Promise<void> => {
      const token = given ?? (await tokenOfSession(request, sessions))
      const caller = await tokenVerifier.verify(token)
      // Services call each other directly, never through the gateway.
      if (caller.kind !== 'user')
        throw new Unauthenticated('invalid_token', 'the access token is not valid', {
          cause: new Error('it is the token of a service'),
        })
      request.caller = caller
    }
    const logged = authenticate().catch((error: unknown) => {
      if (!(error instanceof Unauthenticated)) throw error
      const reason = error.cause instanceof Error ? error.cause.message : error.reason
      logger.info({ request_id: request.id, reason }, 'token_rejected')
      if (access !== 'optional') throw error
    })
    void settle(logged, done)
  })
}

/**
 * The token of the session of a browser. Throws an HttpProblem if another site may have asked, or a
 * page that shows another user.
 */
async function tokenOfSession(
  request: FastifyRequest,
  sessions: Sessions | undefined,
): Promise<string> {
  const crossSite = crossSiteProblem(request)
  if (crossSite !== undefined) throw crossSite
  const cookie = sessions && cookieOf(request, sessions)
  if (sessions === undefined || cookie === undefined)
    throw sessionEnded(new Error('the cookie was not made with a key of this gateway'))
  const { stored, content } = await sessions.find(cookie)
  const otherUser = otherUserProblem(request, stored.userId)
  if (otherUser !== undefined) throw otherUser
  request.endOfSession = (closed) => sessions.endOf(cookie, closed)
  return content.token
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
