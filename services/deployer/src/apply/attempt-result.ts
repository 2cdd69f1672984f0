import { transaction } from '@slipway/shared/db'
import { Unavailable } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import { lockAttempt } from '../db/attempts.ts'
import { updateDeployment } from '../db/deployments.ts'
import { assignClusterObjects, deleteClusterObjects, saveClusterObjects } from '../db/inventory.ts'
import { endReadiness } from '../db/readiness.ts'
import { findRevision, finishRevision, supersedeOthers } from '../db/revisions.ts'
import { appendDeploymentEvent } from '../events/deployment-events.ts'
import type { ApplyOutcome, Attempt } from './intent.ts'
import { settledFootprint } from '../plan/account-quota.ts'
import { plannedObject } from './planned-object.ts'

const POD_KINDS: ReadonlySet<string> = new Set(['CronJob', 'Deployment', 'Job', 'StatefulSet'])

/**
 * Stores the outcome of an apply in one transaction: results, inventory, state and event. Throws
 * Unavailable when another attempt has taken over.
 */
export async function storeOutcome(
  context: DeployerContext,
  { attemptId, subject, composed, origin }: Attempt,
  outcome: ApplyOutcome,
): Promise<void> {
  const { deploymentId, revision } = subject
  const { errors, serviceEndpoints: endpoints } = outcome
  const state = errors.length === 0 ? 'applied' : 'partial'
  await transaction(context.db, async (trx) => {
    const deployment = await lockAttempt(trx, deploymentId, attemptId)
    if (!deployment) {
      throw new Unavailable(
        'attempt_superseded',
        'another operation on this agent replaced this one; try again',
      )
    }
    const rejected = outcome.outcomes.filter(({ state: applied }) => applied === undefined)
    const planned = rejected.map(({ rendered }) => plannedObject(rendered))
    await assignClusterObjects(trx, deploymentId, revision, planned)
    await saveClusterObjects(trx, inventoryRows(deploymentId, revision, outcome))
    await deleteClusterObjects(trx, outcome.pruned)
    const before = await finishRevision(trx, deploymentId, revision, {
      state,
      errors,
      endpoints,
    })
    const isNew = deployment.live_revision !== revision
    if (isNew && deployment.live_revision !== null)
      await supersedeOthers(trx, deploymentId, revision)
    // A change in rejections or pods may change the state, so the state watcher must evaluate it.
    const isOpen = isNew || before !== state || changesPods(outcome)
    if (isOpen) await endReadiness(trx, deploymentId, { failed: false })
    await updateDeployment(trx, deploymentId, {
      attempt_id: null,
      attempt_revision: null,
      live_revision: revision,
      ...(state === 'applied' && {
        footprint: JSON.stringify(
          settledFootprint(deployment.last_revision, composed.occupied, outcome.claimSizes),
        ),
      }),
      ...(isOpen && { state: 'progressing', reason: '' }),
    })
    // Applying the same revision again with the same result isn't an event.
    if (before === state && errors.length === 0) return
    const event =
      state === 'applied' ? ({ kind: 'applied' } as const) : ({ kind: 'partial', errors } as const)
    await appendDeploymentEvent(trx, subject, event, origin)
  })
}

/** Stores that an attempt has failed. The cluster still has the previous revision. */
export async function failAttempt(
  context: DeployerContext,
  { attemptId, subject, origin }: Pick<Attempt, 'attemptId' | 'subject' | 'origin'>,
  reason: string,
): Promise<void> {
  const { deploymentId, revision } = subject
  await transaction(context.db, async (trx) => {
    const deployment = await lockAttempt(trx, deploymentId, attemptId)
    if (!deployment) return
    await updateDeployment(trx, deploymentId, {
      attempt_id: null,
      attempt_revision: null,
      ...(deployment.live_revision === null && { state: 'failed', reason }),
    })
    const row = await findRevision(trx, deploymentId, revision)
    if (row?.state !== 'applying') return
    await finishRevision(trx, deploymentId, revision, { state: 'failed', errors: [reason] })
    await appendDeploymentEvent(trx, subject, { kind: 'failed', reason }, origin)
  })
}

function changesPods({ outcomes, pruned }: ApplyOutcome): boolean {
  return (
    outcomes.some(({ result }) => POD_KINDS.has(result.kind) && result.status !== 'unchanged') ||
    pruned.some(({ kind }) => POD_KINDS.has(kind))
  )
}

function inventoryRows(deploymentId: string, revision: number, { outcomes }: ApplyOutcome) {
  return outcomes.flatMap(({ rendered: { component, object }, state }) =>
    state === undefined
      ? []
      : {
          deployment_id: deploymentId,
          api_version: object.apiVersion,
          kind: object.kind,
          name: object.metadata.name,
          component,
          revision,
          uid: state.uid,
          resource_version: state.resourceVersion,
          generation: state.generation,
          managed_time: state.managedTime,
        },
  )
}
