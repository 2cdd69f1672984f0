import type { ContextValues } from '@connectrpc/connect'

import { userKey } from '../../auth/caller.ts'
import { RateLimited } from '../../errors.ts'
import { FairQueue, type FairShare } from '../../fairness/fair-queue.ts'
import { MAX_RECEIVING_BYTES, MAX_RECEIVING_BYTES_PER_CALLER } from '../limits.ts'
import { callerKey } from '../policies/call-context.ts'

const RETRY_AFTER_MS = 1_000

/** Bounds the bytes of all requests that a process has begun to receive and not yet decoded. */
export function createReceiving(): FairQueue {
  const perUser = MAX_RECEIVING_BYTES_PER_CALLER
  return new FairQueue({
    running: { total: MAX_RECEIVING_BYTES, perUser, perAccount: perUser },
    refusal: ({ scope, limit }) =>
      new RateLimited(
        'too_many_bytes',
        `requests of more than ${limit} bytes ${scope === 'total' ? 'in total' : 'of one caller'}` +
          ' are being received; retry later',
        { retryAfterMs: RETRY_AFTER_MS },
      ),
  })
}

/**
 * Returns an empty share for the bytes of one request. Anonymous callers count by their address.
 * The bytes of a connection have no own bound: all users share those of the gateway.
 */
export function openReceiving(
  receiving: FairQueue,
  values: ContextValues,
  address: string | undefined,
): FairShare {
  const caller = values.get(callerKey)
  if (caller === undefined) return receiving.open({ user: `address ${address}` })
  return receiving.open({
    user: caller.kind === 'user' ? userKey(caller) : `service ${caller.name}`,
  })
}
