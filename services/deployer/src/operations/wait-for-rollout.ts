import { sleepOrAbort } from '@slipway/shared/waiting'

import type { DeployerContext } from '../context.ts'
import { listComponents } from '../db/components.ts'
import { findDeployment } from '../db/deployments.ts'
import type { DeploymentState } from '../domain/states.ts'

const POLL_MS = 100

/** How far the rollout of a deployment is. */
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
 * Waits until the rollout of a revision is ready, has failed, was overtaken by another revision, or
 * the time is over, and tells how it then stands. The watcher of the cluster keeps the state in the
 * database; no other replica need be asked.
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
    const isOvertaken = deployment?.live_revision !== revision
    const isLast = isSettled || isOvertaken || performance.now() + POLL_MS > deadline
    const components = isLast || state === 'degraded' ? await listComponents(db, deploymentId) : []
    // All pods are up and yet it isn't ready: the cluster refused something, which no waiting
    // mends.
    const isUpInPart =
      state === 'degraded' && components.every((component) => component.state === 'ready')
    if (isLast || isUpInPart) {
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
