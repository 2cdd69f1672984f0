import { withAdvisoryLock } from '@slipway/shared/db'
import { Conflict } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'

/** Whose applies run one at a time. */
export interface LockTarget {
  readonly accountId: string
  readonly agent: string
}

/**
 * Runs `body` while nobody else applies this agent in this account. Conflict `deployment_busy` when
 * the lock isn't to be had in time; nothing was written then. `callerSignal` ends the waiting,
 * never the body.
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
    // Waited for in short pieces, so that a caller who has gone away doesn't get the lock
    // afterwards.
    const tryForMs = Math.max(0, Math.min(500, deadline - performance.now()))
    const outcome = await withAdvisoryLock(db, lockKey({ accountId, agent }), { tryForMs }, body)
    if (outcome.acquired) return outcome.result
    if (performance.now() < deadline) continue
    throw new Conflict(
      'deployment_busy',
      `another operation on ${agent} is still running; please try again`,
      {
        retryAfterMs: 5_000,
      },
    )
  }
}

/** The name of a deployment's lock. */
export function lockKey({ accountId, agent }: LockTarget): string {
  return `deployment:${accountId}:${agent}`
}
