import { transaction } from '@slipway/shared/db'
import { Conflict } from '@slipway/shared/errors'
import type { RequestOrigin } from '@slipway/shared/rpc'
import { sql } from 'kysely'

import type { DeployerContext } from '../context.ts'
import { requireLiveDeployment, updateDeployment, type DeploymentRow } from '../db/deployments.ts'
import { releaseHosts } from '../db/hosts.ts'
import { findRevision } from '../db/revisions.ts'
import { DEPLOYMENT_LABEL, MANAGED_BY, MANAGED_BY_LABEL } from '../domain/labels.ts'
import { appendDeploymentEvent, subjectOf, type EventSubject } from '../events.ts'
import { deleteObject } from '../kubernetes/delete.ts'
import { readObject } from '../kubernetes/read.ts'
import { withDeploymentLock, type LockTarget } from './lock.ts'

/** What an undeploy removed. */
export interface UndeployResult {
  readonly agent: string
  readonly buildId: string
  readonly namespace: string
  readonly time: Date
}

/** Removes a deployment: stores the intent, then has the cluster delete the namespace. */
export async function undeploy(
  context: DeployerContext,
  target: LockTarget,
  actor: { readonly origin: RequestOrigin; readonly signal: AbortSignal },
): Promise<UndeployResult> {
  return await withDeploymentLock(context, target, actor.signal, async () => {
    const deployment = await requireLiveDeployment(context.db, target.accountId, target.agent)
    const subject = await liveSubject(context, deployment)
    if (deployment.state !== 'undeploying') {
      await transaction(context.db, async (trx) => {
        await updateDeployment(trx, deployment.id, {
          state: 'undeploying',
          reason: '',
          attempt_id: null,
        })
        await appendDeploymentEvent(trx, subject, { kind: 'undeploy_requested' }, actor.origin)
      })
    }
    await context.onStep('undeploy_stored')
    const time = await finishUndeploy(context, deployment, actor.origin)
    return {
      agent: target.agent,
      buildId: subject.buildId,
      namespace: deployment.k8s_namespace,
      time,
    }
  })
}

/**
 * Does what an undeploy's intent says: for the undeploy itself, for a deploy that comes after it,
 * and after a crash.
 */
export async function finishUndeploy(
  context: DeployerContext,
  deployment: DeploymentRow,
  origin: RequestOrigin = { requestId: '', traceparent: '' },
): Promise<Date> {
  const isGone = await deleteNamespace(context, deployment)
  await context.onStep('namespace_deleted')
  const subject = await liveSubject(context, deployment)
  const time = await transaction(context.db, async (trx) => {
    await releaseHosts(trx, deployment.id)
    const { rows } = await sql<{ undeploy_time: Date }>`
      UPDATE deployment
         SET state = 'undeployed', undeploy_time = now(), attempt_id = NULL,
             namespace_gone_time = CASE WHEN ${isGone} THEN now() END
       WHERE id = ${deployment.id} AND undeploy_time IS NULL
       RETURNING undeploy_time`.execute(trx)
    await trx.deleteFrom('component').where('deployment_id', '=', deployment.id).execute()
    await trx.deleteFrom('cluster_object').where('deployment_id', '=', deployment.id).execute()
    await appendDeploymentEvent(trx, subject, { kind: 'undeployed' }, origin)
    return rows[0]?.undeploy_time ?? new Date()
  })
  return time
}

/**
 * Has the cluster delete a deployment's namespace. True when the namespace is gone already; false
 * when the cluster has accepted its deletion.
 */
export async function deleteNamespace(
  { kubernetes }: DeployerContext,
  deployment: DeploymentRow,
): Promise<boolean> {
  const key = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: deployment.k8s_namespace }
  const found = await readObject(kubernetes, key)
  if (found === undefined) return true
  const labels = found.metadata.labels ?? {}
  if (labels[MANAGED_BY_LABEL] !== MANAGED_BY || labels[DEPLOYMENT_LABEL] !== deployment.id) {
    // Somebody else's by now, so what we had in its place is gone. One that was ours and lost its
    // labels is not touched.
    if (found.metadata.labels?.['slipway.dev/agent'] === undefined) return true
    throw new Conflict(
      'namespace_taken',
      'the namespace of this deployment no longer carries its labels',
    )
  }
  if (found.metadata.deletionTimestamp !== undefined) return false
  const { uid } = found.metadata
  return !(await deleteObject(kubernetes, key, uid === undefined ? {} : { uid }))
}

async function liveSubject(
  { db }: DeployerContext,
  deployment: DeploymentRow,
): Promise<EventSubject> {
  const number = deployment.live_revision ?? deployment.last_revision
  const revision = await findRevision(db, deployment.id, number)
  return subjectOf(deployment, revision ?? { revision: number, build_id: '' })
}
