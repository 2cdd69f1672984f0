import type { Kysely } from 'kysely'

import type { DeploymentTable, ObservabilitySchema } from './tables.ts'

/** Writes what is known of a deployment now. */
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

/** What is known of a deployment; undefined when no event told of it. */
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
