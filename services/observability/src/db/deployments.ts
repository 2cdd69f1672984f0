import type { Kysely } from 'kysely'

import type { DeploymentTable, ObservabilitySchema } from './tables.ts'

/** Inserts a deployment, or updates it if it exists. */
export async function putDeployment(
  db: Kysely<ObservabilitySchema>,
  row: DeploymentTable,
): Promise<void> {
  const { deployment_id: _, ...changes } = row
  await db
    .insertInto('deployment')
    .values(row)
    .onConflict((conflict) => conflict.column('deployment_id').doUpdateSet(changes))
    .execute()
}

/** Deletes the undeployed deployments of a deleted account, or of one of its deleted agents. */
export async function deleteDeployments(
  db: Kysely<ObservabilitySchema>,
  { accountId, agent }: { accountId: string; agent: string | undefined },
): Promise<void> {
  await db
    .deleteFrom('deployment')
    .where('account_id', '=', accountId)
    .where('is_live', '=', false)
    .$if(agent !== undefined, (query) => query.where('agent', '=', agent ?? ''))
    .execute()
}

/** Finds a deployment by its id; undefined if there is none. */
export async function findDeployment(
  db: Kysely<ObservabilitySchema>,
  deploymentId: string,
): Promise<DeploymentTable | undefined> {
  return await db
    .selectFrom('deployment')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .executeTakeFirst()
}
