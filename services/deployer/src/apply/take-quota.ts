import type { DeployerContext } from '../context.ts'
import { lockDeployment } from '../db/deployments.ts'
import { lockAccountUse } from '../db/footprints.ts'
import type { Db } from '../db/tables.ts'
import type { Footprint } from '../domain/footprint.ts'
import { applyingFootprint, requireQuota } from '../plan/account-quota.ts'
import type { Intent } from './intent.ts'

/**
 * Checks the account's limits in the transaction that stores a new revision, and returns what the
 * deployment occupies from now on. Until the transaction ends, no other one of the account can do
 * so. Throws FailedPrecondition `quota_exceeded`.
 */
export async function takeQuota(
  context: DeployerContext,
  trx: Db,
  { subject: { accountId, deploymentId, revision }, composed: { occupied } }: Intent,
): Promise<Footprint> {
  await lockAccountUse(trx, accountId)
  const live = await lockDeployment(trx, deploymentId)
  const former = await requireQuota(context, trx, { accountId, live, components: occupied })
  return applyingFootprint(revision, occupied, former)
}
