import type { Db } from './tables.ts'

/**
 * Claims `hosts` for a deployment and releases its other hosts. Returns false when another
 * deployment has one of them.
 */
export async function claimHosts(
  db: Db,
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

/** Releases all hosts of a deployment. */
export async function releaseHosts(db: Db, deploymentId: string): Promise<void> {
  await db.deleteFrom('ingress_host').where('deployment_id', '=', deploymentId).execute()
}
