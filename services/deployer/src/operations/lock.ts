import { withAdvisoryLock } from '@slipway/shared/db'
import { Conflict } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'

/** An agent in an account. Its operations run one at a time. */
export interface LockTarget {
  readonly accountId: string
  readonly agent: string
}

/**
 * Runs `body` under the agent's lock. Throws Conflict `deployment_busy`, before anything is
 * written, if the lock doesn't become free in time. `callerSignal` ends only the wait, never
 * `body`.
 */
export async function withDeploymentLock<Result>(
  { db, config }: DeployerContext,
  { accountId, agent }: LockTarget,
  callerSignal: AbortSignal | undefined,
  body: (lockSignal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + config.limits.lockWaitMs
  for (;;) {
    callerSignal?.throwIfAborted()
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
