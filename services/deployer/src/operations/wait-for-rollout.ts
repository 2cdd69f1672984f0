import type { DeployerContext } from '../context.ts'
import { listComponents } from '../db/components.ts'
import { findDeployment } from '../db/deployments.ts'
import { lastEventSequence } from '../db/outbox-events.ts'
import type { DeploymentState } from '../domain/states.ts'

/** The state of a rollout. */
export interface RolloutView {
  readonly state: DeploymentState
  readonly reason: string
  readonly components: readonly {
    readonly name: string
    readonly state: DeploymentState
    readonly reason: string
  }[]
  /** Whether the wait ended before its time because the process stops. */
  readonly isInterrupted: boolean
}

/**
 * Waits until a revision is ready, has failed or was replaced, until the timeout, or until the
 * process stops. Returns the state of its rollout. Reads the state that the state watcher keeps in
 * the database, whenever it has changed, so it works on any replica.
 */
export async function waitForRollout(
  { db, eventWaiters, stopping }: Pick<DeployerContext, 'db' | 'eventWaiters' | 'stopping'>,
  { deploymentId, revision }: { readonly deploymentId: string; readonly revision: number },
  timeoutMs: number,
  signal: AbortSignal,
): Promise<RolloutView> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const end = AbortSignal.any([signal, timeout, stopping])
  for (;;) {
    // Read first, so that a change in between is noticed.
    const sequence = await lastEventSequence(db, deploymentId)
    const deployment = await findDeployment(db, deploymentId)
    const state = deployment?.undeploy_time ? 'undeployed' : (deployment?.state ?? 'undeployed')
    const reason = deployment?.reason ?? ''
    const isSettled =
      state === 'ready' || state === 'failed' || state === 'undeploying' || state === 'undeployed'
    const isReplaced = deployment?.live_revision !== revision
    const isOver = isSettled || isReplaced || timeout.aborted
    const isLast = isOver || stopping.aborted
    const components = isLast || state === 'degraded' ? await listComponents(db, deploymentId) : []
    // All pods are ready but the deployment isn't: the cluster rejected an object, or a run of an
    // ingestion has failed, so waiting won't help.
    const isPartial =
      state === 'degraded' &&
      components.every((component) => component.state === 'ready' || component.state === 'failed')
    if (isLast || isPartial) {
      return {
        state,
        reason,
        components: components.map(({ name, state: own, reason: why }) => ({
          name,
          state: own,
          reason: why,
        })),
        isInterrupted: !isOver && !isPartial,
      }
    }
    try {
      await eventWaiters.waitForChange(deploymentId, { sequence, reason }, end)
    } catch (error) {
      if (signal.aborted || !(timeout.aborted || stopping.aborted)) throw error
    }
  }
}
