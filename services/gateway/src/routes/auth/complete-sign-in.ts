import { Unauthenticated } from '@slipway/shared/errors'

import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { networkOf } from '../../http/client-network.ts'
import { TokenBuckets } from '../../http/token-buckets.ts'
import { SESSION_COOKIE, setCookie } from '../../sessions/cookies.ts'
import { RefusedByIssuer } from '../../sessions/identity-provider.ts'
import { CALLBACK_PATH } from './begin-sign-in.ts'
import { cookieOf } from '../../sessions/cookie-of.ts'
import { sendFailurePage } from './failure-page.ts'
import { takePending } from './pending-sign-in.ts'
import { neverCached, requireSignIn } from './require-sign-in.ts'

/**
 * `GET /auth/callback`: the way back from the identity provider. Makes a new session, whatever
 * cookie the browser has.
 */
export function addCompleteSignInRoute(app: App, { config, signIn, logger }: GatewayContext): void {
  // Each attempt asks the provider, which limits the gateway, and so all of its users.
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
      const { isAllowed, nextInMs } = failures.take(network)
      if (!isAllowed) {
        reply.header('retry-after', Math.ceil(nextInMs / 1000))
        return await sendFailurePage(reply, 'tooMany')
      }
      try {
        const issued = await provider.exchange(new URL(search, redirectUri), checks)
        const former = cookieOf(request, sessions)
        const { cookie, stored } = await sessions.create(issued)
        if (former !== undefined) await sessions.end(former)
        const maxAge = Math.floor((stored.expireTime.getTime() - Date.now()) / 1000)
        failures.giveBack(network)
        reply.header('set-cookie', setCookie(SESSION_COOKIE, cookie.text, maxAge))
        logger.info({ requestId: request.id, userId: stored.userId }, 'signed_in')
        return await reply.redirect(returnTo)
      } catch (error) {
        const isRefused = error instanceof RefusedByIssuer || error instanceof Unauthenticated
        const { cause } = error as Error
        const reason = cause instanceof Error ? cause.message : (error as Error).message
        if (isRefused) logger.info({ requestId: request.id, reason }, 'sign_in_refused')
        else {
          failures.giveBack(network)
          logger.warn({ requestId: request.id, err: error }, 'sign_in_failed')
        }
        return await sendFailurePage(reply, isRefused ? 'refused' : 'unavailable')
      }
    },
  )
}
