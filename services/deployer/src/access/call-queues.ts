import type { HandlerContext } from '@connectrpc/connect'
import { userKey } from '@slipway/shared/auth'
import { RateLimited } from '@slipway/shared/errors'
import { FairQueue, type Bounds, type Full, type Owner } from '@slipway/shared/fair-queue'
import { requireUser } from '@slipway/shared/rpc'

const RETRY_AFTER_MS = 5_000
/** How many operations may wait for their turn. */
const WAITING_OPERATIONS = { total: 1_000, perUser: 250, perAccount: 500 }

/** Bounds the open logs and event streams. Each holds a connection. */
export function createStreamQueue(running: Bounds): FairQueue {
  const calls = 'log and event streams are open'
  return new FairQueue({
    running,
    refusal: refusal('too_many_streams', calls, 'close one, or retry later'),
  })
}

/** Bounds the deploys and rollbacks that wait for their rollout. Each holds a connection. */
export function createWaitQueue(running: Bounds): FairQueue {
  const calls = 'deploys and rollbacks are waiting for their rollout'
  return new FairQueue({
    running,
    refusal: refusal('too_many_waits', calls, 'retry later, or send the request without wait'),
  })
}

/**
 * Bounds the operations that change the cluster, or ask it about each object: all users share the
 * connections to its API server. The others wait.
 */
export function createOperationQueue(running: Bounds): FairQueue {
  const calls = 'deploys, rollbacks, undeploys and other operations are waiting'
  return new FairQueue({
    running,
    waiting: WAITING_OPERATIONS,
    refusal: refusal('too_many_operations', calls, 'retry later'),
  })
}

/** The calling user and the account for which the call runs. */
export function callOwner(call: Pick<HandlerContext, 'values'>, accountId: string): Owner {
  return { user: userKey(requireUser(call)), account: accountId }
}

const SCOPES = { user: 'by you', account: 'for the account', total: 'in total' }

/** Names what there are too many of, in the plural, and what the caller can do about it. */
function refusal(reason: string, calls: string, remedy: string): (full: Full) => RateLimited {
  return ({ scope, limit }) => {
    const message = `too many ${calls} ${SCOPES[scope]} (at most ${limit}); ${remedy}`
    return new RateLimited(reason, message, { retryAfterMs: RETRY_AFTER_MS })
  }
}
