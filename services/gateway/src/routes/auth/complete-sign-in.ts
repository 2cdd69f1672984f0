import { userKey } from '@slipway/shared/auth'
import { Unauthenticated } from '@slipway/shared/errors'
import type { FastifyReply } from 'fastify'

import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { networkOf } from '../../http/requests/client-network.ts'
import { TokenBuckets, type Taken } from '../../http/limits/token-buckets.ts'
import { SESSION_COOKIE, setCookie } from '../../sessions/cookies.ts'
import { RefusedByIssuer } from '../../sessions/identity-provider.ts'
import { CALLBACK_PATH } from './begin-sign-in.ts'
import { cookieOf } from '../../sessions/cookie-of.ts'
import { sendFailurePage, type SignInFailure } from './failure-page.ts'
import { takePending } from './pending-sign-in.ts'
import { neverCached, requireSignIn } from './require-sign-in.ts'

/**
 * `GET /auth/callback`: the way back from the identity provider. Makes a new session, whatever
 * cookie the browser has.
 */
export function addCompleteSignInRoute(app: App, context: GatewayContext): void {
  const { config, changes, signIn, logger } = context
  // Each attempt asks the provider, which limits the gateway, and so all of its users. Each that
  // succeeds leaves a session behind, and an event if it ends the oldest one.
  const attempts = new TokenBuckets(config.rateLimits.changes)
  const failures = new TokenBuckets(config.rateLimits.failedSignIns)
  app.get(
    CALLBACK_PATH,
    { onRequest: neverCached, schema: { hide: true } },
    async (request, reply) => {
      const { provider, keys, sessions } = requireSignIn(signIn)
      const { search, searchParams } = new URL(request.url, 'http://own.invalid')
      const pending = takePending(request, reply, keys, searchParams.get('state'))
      if (pending === undefined) return await sendFailurePage(reply, 'stale')
      const { checks, redirectUri, returnTo } = pending
      const network = networkOf(request.ip)
      const attempt = attempts.take(network)
      if (!attempt.isAllowed) return await sendTooMany(reply, 'tooMany', attempt)
      const failed = failures.take(network)
      if (!failed.isAllowed) return await sendTooMany(reply, 'tooManyFailed', failed)
      try {
        const issued = await provider.exchange(new URL(search, redirectUri), checks)
        const person = await sessions.personOf(issued)
        const change = changes.take(userKey(person))
        if (!change.isAllowed) {
          failures.giveBack(network)
          return await sendTooMany(reply, 'tooMany', change)
        }
        const previous = cookieOf(request, sessions)
        const { cookie, stored } = await sessions.create(issued, person)
        if (previous !== undefined) await sessions.end(previous)
        const maxAge = Math.floor((stored.expireTime.getTime() - Date.now()) / 1000)
        failures.giveBack(network)
        reply.header('set-cookie', setCookie(SESSION_COOKIE, cookie.text, maxAge))
        logger.info({ request_id: request.id, user_id: stored.userId }, 'signed_in')
        return await reply.redirect(returnTo)
      } catch (error) {
        const isRefused = error instanceof RefusedByIssuer || error instanceof Unauthenticated
        const { cause } = error as Error
        const reason = cause instanceof Error ? cause.message : (error as Error).message
        if (isRefused) logger.info({ request_id: request.id, reason }, 'sign_in_refused')
        else {
          failures.giveBack(network)
          logger.warn({ request_id: request.id, err: error }, 'sign_in_failed')
        }
        return await sendFailurePage(reply, isRefused ? 'refused' : 'unavailable')
      }
    },
  )
}

function sendTooMany(reply: FastifyReply, failure: SignInFailure, { nextInMs }: Taken) {
  reply.header('retry-after', Math.ceil(nextInMs / 1000))
  return sendFailurePage(reply, failure)
}
