import type { HandlerContext } from '@connectrpc/connect'
import { DomainError, Unauthenticated } from '@slipway/shared/errors'
import { MAX_TIMER_MS, requireUser } from '@slipway/shared/rpc'

import type { Memberships } from './membership.ts'

const CHECK_INTERVAL_MS = 5_000

/** Ends a long answer. */
export interface AccessSignal extends Disposable {
  /**
   * Fires when the caller's token has expired, when they are no member any more, or when the call
   * ends.
   */
  readonly signal: AbortSignal
}

/** Watches over a long answer: tokens expire and memberships go while it is running. */
export function watchAccess(
  memberships: Memberships,
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
      // The catalog being away for a moment takes nobody's membership.
      if (error instanceof DomainError && error.constructor.name !== 'Unavailable')
        ended.abort(error)
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
