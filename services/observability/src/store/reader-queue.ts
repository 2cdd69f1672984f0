import { RateLimited, Unavailable } from '@slipway/shared/errors'
import { FairQueue } from '@slipway/shared/fair-queue'

/** How many calls may wait for a connection. Further ones are rejected immediately. */
const WAITING = { total: 256, perUser: 32, perAccount: 32 }
/** The delay after which rejected callers should retry. */
const RETRY_AFTER_MS = 1_000

/** Bounds the calls that read from ClickHouse. A user, and an account, gets half of `readers`. */
export function createReaderQueue(readers: number): FairQueue {
  const share = Math.max(1, Math.floor(readers / 2))
  return new FairQueue({
    running: { total: readers, perUser: share, perAccount: share },
    waiting: WAITING,
    refusal: ({ scope, limit }) => {
      const retry = { retryAfterMs: RETRY_AFTER_MS }
      if (scope === 'total')
        return new Unavailable(
          'trace_store_busy',
          'too many trace queries are waiting; retry later',
          retry,
        )
      const whose = scope === 'user' ? 'of yours' : 'of this account'
      const message = `more than ${limit} trace queries ${whose} are waiting; retry later`
      return new RateLimited('too_many_queries', message, retry)
    },
  })
}
