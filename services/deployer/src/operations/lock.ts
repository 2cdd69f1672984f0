import { withAdvisoryLock } from '@slipway/shared/db'
import { Conflict } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import type { Actor } from './actor.ts'

/** An agent in an account. Its operations run one at a time. */
export interface LockTarget {
  readonly accountId: string
  readonly agent: string
}

/**
 * Runs `body` under the agent's lock when it is the actor's turn. Throws RateLimited
 * `too_many_operations`, or Conflict `deployment_busy` if the lock doesn't become free in time,
 * before anything is written. The actor's signal ends only the wait, never `body`.
 */
export async function withDeploymentLock<Result>(
  { db, config, operations }: DeployerContext,
  { accountId, agent }: LockTarget,
  { userId, signal }: Pick<Actor, 'userId' | 'signal'>,
  body: (lockSignal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  using _turn = await operations.wait({ user: userId, account: accountId }, { signal })
  const deadline = performance.now() + config.limits.lockWaitMs
  for (;;) {
    signal.throwIfAborted()
    // Short tries, so that a caller that has disconnected doesn't get the lock later.
    const tryForMs = Math.max(0, Math.min(500, deadline - performance.now()))
    const outcome = await withAdvisoryLock(db, lockKey({ accountId, agent }), { tryForMs }, body)
    if (outcome.acquired) return outcome.result
    if (performance.now() < deadline) continue
    throw new Conflict(
      'deployment_busy',
      `another operation on ${agent} is still running; retry later`,
      {
        retryAfterMs: 5_000,
      },
    )
  }
}

/** Returns the name of an agent's lock. */
export function lockKey({ accountId, agent }: LockTarget): string {
  return `deployment:${accountId}:${agent}`
}
