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
