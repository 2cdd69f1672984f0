import { transaction } from '@slipway/shared/db'

import { finishUndeploy } from '../apply/finish-undeploy.ts'
import type { DeployerContext } from '../context.ts'
import { requireLiveDeployment, updateDeployment } from '../db/deployments.ts'
import {
  appendDeploymentEvent,
  findSubject,
  type EventSubject,
} from '../events/deployment-events.ts'
import type { Actor } from './actor.ts'
import { withDeploymentLock, type LockTarget } from './lock.ts'

/**
 * Removes a deployment: stores the intent, then asks the cluster to delete the namespace. Returns
 * what was removed, and when.
 */
export async function undeployAgent(
  context: DeployerContext,
  target: LockTarget,
  actor: Actor,
): Promise<{ subject: EventSubject; undeployTime: Date }> {
  return await withDeploymentLock(context, target, actor, async () => {
    const deployment = await requireLiveDeployment(context.db, target.accountId, target.agent)
    const subject = await findSubject(context.db, deployment)
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
    return { subject, undeployTime: await finishUndeploy(context, deployment, actor.origin) }
  })
}
