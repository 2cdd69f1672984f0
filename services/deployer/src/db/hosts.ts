import { type Kysely } from 'kysely'

import type { DeployerSchema } from './tables.ts'

/** Makes `hosts` the ones of a deployment; false when one of them is another's. */
export async function claimHosts(
  db: Kysely<DeployerSchema>,
  deploymentId: string,
  hosts: readonly string[],
): Promise<boolean> {
  await db
    .deleteFrom('ingress_host')
    .where('deployment_id', '=', deploymentId)
    .$if(hosts.length > 0, (query) => query.where('host', 'not in', [...hosts]))
    .execute()
  if (hosts.length === 0) return true
  await db
    .insertInto('ingress_host')
    .values(hosts.map((host) => ({ host, deployment_id: deploymentId })))
    .onConflict((conflict) => conflict.column('host').doNothing())
    .execute()
  const rows = await db
    .selectFrom('ingress_host')
    .select('host')
    .where('host', 'in', [...hosts])
    .where('deployment_id', '=', deploymentId)
    .execute()
  return rows.length === new Set(hosts).size
}

/** Gives a deployment's hosts free. */
export async function releaseHosts(
  db: Kysely<DeployerSchema>,
  deploymentId: string,
): Promise<void> {
  await db.deleteFrom('ingress_host').where('deployment_id', '=', deploymentId).execute()
}
