import type { DeploymentTemplate } from '@slipway/agent-spec'
import { sql } from 'kysely'

import { componentsOf, sumAmounts, type Amounts, type Footprint } from '../domain/footprint.ts'
import { findDeployment, liveDeployments, type DeploymentRow } from './deployments.ts'
import { findRevision } from './revisions.ts'
import type { Db } from './tables.ts'

/**
 * Locks what an account uses for the rest of the transaction, so that two deploys at once can't
 * both take the last of it.
 */
export async function lockAccountUse(trx: Db, accountId: string): Promise<void> {
  const key = `account-use:${accountId}`
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx)
}

/**
 * Returns what each live deployment of an account occupies, by the deployment's id. An accepted
 * undeploy has freed it.
 */
export async function readAccountUse(db: Db, accountId: string): Promise<Map<string, Amounts>> {
  const rows = await liveDeployments(db)
    .select([
      'id',
      sql<Partial<Amounts> | null>`CASE WHEN (footprint->>'revision')::integer = last_revision
        THEN footprint->'total' END`.as('total'),
    ])
    .where('account_id', '=', accountId)
    .where('state', '!=', 'undeploying')
    .execute()
  const use = new Map<string, Amounts>()
  for (const { id, total } of rows)
    use.set(id, sumAmounts([total ?? (await fillFootprint(db, id)).total]))
  return use
}

/** Returns what a deployment occupies. */
export async function readFootprint(db: Db, deployment: DeploymentRow): Promise<Footprint> {
  const { id, footprint, last_revision, live_revision } = deployment
  if (footprint?.revision === last_revision)
    return { ...footprint, total: sumAmounts([footprint.total]) }
  // An older release stored the last revision.
  const revision = await findRevision(db, id, live_revision ?? last_revision)
  const components = revision ? componentsOf(revision.template as DeploymentTemplate) : {}
  return {
    revision: last_revision,
    isSettled: revision?.state === 'applied',
    components,
    total: sumAmounts(Object.values(components)),
  }
}

async function fillFootprint(db: Db, deploymentId: string): Promise<Footprint> {
  const deployment = await findDeployment(db, deploymentId)
  if (!deployment) throw new Error(`there is no deployment ${deploymentId}`)
  const footprint = await readFootprint(db, deployment)
  await db
    .updateTable('deployment')
    .set({ footprint: JSON.stringify(footprint) })
    .where('id', '=', deploymentId)
    // A deploy may have stored its own since.
    .where('last_revision', '=', footprint.revision)
    .execute()
  return footprint
}
