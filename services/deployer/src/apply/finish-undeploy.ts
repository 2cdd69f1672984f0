import { transaction } from '@slipway/shared/db'
import type { RequestOrigin } from '@slipway/shared/rpc'

import type { DeployerContext } from '../context.ts'
import { deleteComponents } from '../db/components.ts'
import { markUndeployed, type DeploymentRow } from '../db/deployments.ts'
import { releaseHosts } from '../db/hosts.ts'
import { deleteInventory } from '../db/inventory.ts'
import { appendDeploymentEvent, findSubject } from '../events/deployment-events.ts'
import { deleteNamespace } from './delete-namespace.ts'

/**
 * Executes an undeploy whose intent is stored: in the undeploy itself, before a deploy of the same
 * agent, and after a crash. Returns the time of the undeploy.
 */
export async function finishUndeploy(
  context: DeployerContext,
  deployment: DeploymentRow,
  origin: RequestOrigin = { requestId: '', traceparent: '' },
): Promise<Date> {
  const isNamespaceGone = await deleteNamespace(context, deployment)
  await context.onStep('namespace_deleted')
  const subject = await findSubject(context.db, deployment)
  return await transaction(context.db, async (trx) => {
    await releaseHosts(trx, deployment.id)
    const time = await markUndeployed(trx, deployment.id, { isNamespaceGone })
    await deleteComponents(trx, deployment.id)
    await deleteInventory(trx, deployment.id)
    await appendDeploymentEvent(trx, subject, { kind: 'undeployed' }, origin)
    return time ?? new Date()
  })
}
