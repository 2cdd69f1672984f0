import { sql, type Selectable } from 'kysely'

import type { ComponentTable, Db } from './tables.ts'

/** The stored state of a component. */
export type ComponentRow = Selectable<ComponentTable>

/** Lists the components of a deployment, sorted by name. */
export async function listComponents(db: Db, deploymentId: string): Promise<ComponentRow[]> {
  return await db
    .selectFrom('component')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .orderBy('name')
    .execute()
}

/** Replaces the components of a deployment. */
export async function replaceComponents(
  db: Db,
  deploymentId: string,
  components: readonly Omit<ComponentRow, 'deployment_id'>[],
): Promise<void> {
  const names = components.map(({ name }) => name)
  await db
    .deleteFrom('component')
    .where('deployment_id', '=', deploymentId)
    .$if(names.length > 0, (query) => query.where('name', 'not in', names))
    .execute()
  if (components.length === 0) return
  await db
    .insertInto('component')
    .values(
      components.map((component) => ({
        ...component,
        deployment_id: deploymentId,
        pods: JSON.stringify(component.pods),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['deployment_id', 'name']).doUpdateSet({
        kind: sql<ComponentRow['kind']>`excluded.kind`,
        state: sql<ComponentRow['state']>`excluded.state`,
        reason: sql<string>`excluded.reason`,
        pods: sql<string>`excluded.pods`,
      }),
    )
    .execute()
}

/** Deletes all components of a deployment. */
export async function deleteComponents(db: Db, deploymentId: string): Promise<void> {
  await db.deleteFrom('component').where('deployment_id', '=', deploymentId).execute()
}
