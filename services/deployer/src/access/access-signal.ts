import type { HandlerContext } from '@connectrpc/connect'
import { DomainError, Unauthenticated, Unavailable } from '@slipway/shared/errors'
import { MAX_TIMER_MS, requireUser } from '@slipway/shared/rpc'
import type { Memberships } from '@slipway/shared/memberships'

import type { Membership } from './membership.ts'

const CHECK_INTERVAL_MS = 5_000

/** Watches the access of a long-running stream until it is disposed of. */
export interface AccessSignal extends Disposable {
  /** Fires when the call ends, the caller's token expires, or their membership is revoked. */
  readonly signal: AbortSignal
}

/**
 * Checks a stream's access while it runs: the caller's token may expire and their membership may be
 * revoked.
 */
export function watchAccess(
  memberships: Memberships<Membership>,
  call: HandlerContext,
  accountId: string,
): AccessSignal {
  const ended = new AbortController()
  const { expireTime } = requireUser(call)
  const remainingMs = Math.max(0, expireTime.getTime() - Date.now())
  const expiry =
    remainingMs > MAX_TIMER_MS
      ? undefined
      : setTimeout(() => {
          ended.abort(new Unauthenticated('token_expired', 'the access token has expired'))
        }, remainingMs)
  const timer = setInterval(() => {
    memberships.requireById(call, accountId).catch((error: unknown) => {
      // A brief outage of the catalog doesn't revoke access.
      if (error instanceof DomainError && !(error instanceof Unavailable)) ended.abort(error)
    })
  }, CHECK_INTERVAL_MS)
  return {
    signal: AbortSignal.any([call.signal, ended.signal]),
    [Symbol.dispose]: () => {
      clearTimeout(expiry)
      clearInterval(timer)
    },
  }
}
