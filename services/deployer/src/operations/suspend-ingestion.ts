import { FailedPrecondition } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import { requireLiveDeployment, updateDeployment } from '../db/deployments.ts'
import { listClusterObjects } from '../db/inventory.ts'
import { FIELD_MANAGER } from '../kubernetes/apply.ts'
import { clusterUnreachable, isBusy, isKubernetesStatus } from '../kubernetes/kubernetes-error.ts'
import { objectPath } from '../kubernetes/paths.ts'
import type { Actor } from './actor.ts'
import { ingestionNamed, liveIngestions, type LiveIngestion } from './find-ingestion.ts'
import { withDeploymentLock, type LockTarget } from './lock.ts'

/**
 * Suspends or resumes the schedule of an ingestion: in the cluster now, and in the database for
 * later applies. Throws FailedPrecondition `ingestion_not_scheduled`.
 */
export async function suspendSchedule(
  context: DeployerContext,
  target: LockTarget,
  { name, suspended }: { readonly name: string; readonly suspended: boolean },
  actor: Pick<Actor, 'userId' | 'signal'>,
): Promise<LiveIngestion> {
  return await withDeploymentLock(context, target, actor, async () => {
    const deployment = await requireLiveDeployment(context.db, target.accountId, target.agent)
    const ingestions = await liveIngestions(context, deployment)
    const ingestion = ingestionNamed(ingestions, name)
    if (ingestion.trigger.type !== 'schedule') {
      throw new FailedPrecondition(
        'ingestion_not_scheduled',
        `the ingestion ${name} has no schedule, so it can't be suspended or resumed`,
      )
    }
    await patchCronJob(context, ingestion, suspended)
    const others = ingestions.filter((each) => {
      const wasSuspended = deployment.suspended_ingestions.includes(each.component)
      return wasSuspended && each.name !== name
    })
    const all = [...others, ...(suspended ? [ingestion] : [])].map(({ component }) => component)
    await updateDeployment(context.db, deployment.id, { suspended_ingestions: JSON.stringify(all) })
    return { ...ingestion, deployment: { ...deployment, suspended_ingestions: all } }
  })
}

async function patchCronJob(
  { db, kubernetes }: DeployerContext,
  { deployment, component }: LiveIngestion,
  suspend: boolean,
): Promise<void> {
  const row = (await listClusterObjects(db, deployment.id)).find(
    (each) => each.kind === 'CronJob' && each.component === component,
  )
  if (row === undefined) return
  const { api_version: apiVersion, kind, name } = row
  const key = { apiVersion, kind, namespace: deployment.k8s_namespace, name }
  try {
    await kubernetes.send({
      method: 'PATCH',
      path: `${objectPath(key)}?fieldManager=${FIELD_MANAGER}`,
      contentType: 'application/merge-patch+json',
      body: { spec: { suspend } },
    })
  } catch (error) {
    if (isBusy(error)) throw clusterUnreachable(error)
    // The next apply creates it with this setting.
    if (!isKubernetesStatus(error, 404)) throw error
  }
}
