import { sleepOrAbort } from '@slipway/shared/waiting'

import type { DeployerContext } from '../context.ts'
import { listComponents } from '../db/components.ts'
import { findDeployment } from '../db/deployments.ts'
import type { DeploymentState } from '../domain/states.ts'

const POLL_MS = 100

/** The state of a rollout. */
export interface RolloutView {
  readonly state: DeploymentState
  readonly reason: string
  readonly components: readonly {
    readonly name: string
    readonly state: DeploymentState
    readonly reason: string
  }[]
}

/**
 * Waits until a revision is ready, has failed or was replaced, or until the timeout. Returns the
 * state of its rollout. Reads the state that the state watcher keeps in the database, so it works
 * on any replica.
 */
export async function waitForRollout(
  { db }: DeployerContext,
  { deploymentId, revision }: { readonly deploymentId: string; readonly revision: number },
  timeoutMs: number,
  signal: AbortSignal,
): Promise<RolloutView> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const deployment = await findDeployment(db, deploymentId)
    const state = deployment?.undeploy_time ? 'undeployed' : (deployment?.state ?? 'undeployed')
    const isSettled =
      state === 'ready' || state === 'failed' || state === 'undeploying' || state === 'undeployed'
    const isReplaced = deployment?.live_revision !== revision
    const isLast = isSettled || isReplaced || performance.now() + POLL_MS > deadline
    const components = isLast || state === 'degraded' ? await listComponents(db, deploymentId) : []
    // All pods are ready but the deployment isn't: the cluster rejected an object, so waiting won't
    // help.
    const isPartial =
      state === 'degraded' && components.every((component) => component.state === 'ready')
    if (isLast || isPartial) {
      return {
        state,
        reason: deployment?.reason ?? '',
        components: components.map(({ name, state: own, reason }) => ({
          name,
          state: own,
          reason,
        })),
      }
    }
    await sleepOrAbort(POLL_MS, signal)
  }
}
