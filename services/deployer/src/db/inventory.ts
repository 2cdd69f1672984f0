import { sql, type Selectable } from 'kysely'

import type { ClusterObjectTable, Db } from './tables.ts'

/** An object in a deployment's inventory. */
export type ClusterObjectRow = Selectable<ClusterObjectTable>

const OBJECT_KEY = ['deployment_id', 'kind', 'name', 'api_version'] as const

/** Lists every object of a deployment that the cluster has or may have. */
export async function listClusterObjects(
  db: Db,
  deploymentId: string,
): Promise<ClusterObjectRow[]> {
  return await db
    .selectFrom('cluster_object')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .orderBy('kind')
    .orderBy('name')
    .execute()
}

/** An object of a revision, and the component that it belongs to. */
export interface PlannedObject {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly component: string
}

/**
 * Adds objects to the inventory before they are applied, because only objects in the inventory are
 * ever pruned, and storing the result may fail. Objects that are already in it stay as they are:
 * the attempt may fail before it reaches them.
 */
export async function announceClusterObjects(
  db: Db,
  deploymentId: string,
  revision: number,
  objects: readonly PlannedObject[],
): Promise<void> {
  if (objects.length === 0) return
  await insertPlanned(db, deploymentId, revision, objects)
    .onConflict((conflict) => conflict.columns(OBJECT_KEY).doNothing())
    .execute()
}

/**
 * Makes objects that the cluster rejected belong to the revision that was applied. What the
 * inventory knows of them stays.
 */
export async function assignClusterObjects(
  db: Db,
  deploymentId: string,
  revision: number,
  objects: readonly PlannedObject[],
): Promise<void> {
  if (objects.length === 0) return
  await insertPlanned(db, deploymentId, revision, objects)
    .onConflict((conflict) =>
      conflict.columns(OBJECT_KEY).doUpdateSet({
        revision: sql<number>`excluded.revision`,
        component: sql<string>`excluded.component`,
      }),
    )
    .execute()
}

function insertPlanned(
  db: Db,
  deploymentId: string,
  revision: number,
  objects: readonly PlannedObject[],
) {
  return db.insertInto('cluster_object').values(
    objects.map(({ apiVersion, kind, name, component }) => ({
      deployment_id: deploymentId,
      api_version: apiVersion,
      kind,
      name,
      component,
      revision,
      uid: '',
      resource_version: '',
      generation: 0,
      managed_time: '',
    })),
  )
}

/** Stores the state of applied objects as the API server returned it. */
export async function saveClusterObjects(db: Db, rows: readonly ClusterObjectRow[]): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('cluster_object')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(OBJECT_KEY).doUpdateSet({
        component: sql<string>`excluded.component`,
        revision: sql<number>`excluded.revision`,
        uid: sql<string>`excluded.uid`,
        resource_version: sql<string>`excluded.resource_version`,
        generation: sql<number>`excluded.generation`,
        managed_time: sql<string>`excluded.managed_time`,
      }),
    )
    .execute()
}

/** Removes pruned objects from the inventory. */
export async function deleteClusterObjects(
  db: Db,
  rows: readonly ClusterObjectRow[],
): Promise<void> {
  for (const { deployment_id, api_version, kind, name } of rows) {
    await db
      .deleteFrom('cluster_object')
      .where('deployment_id', '=', deployment_id)
      .where('api_version', '=', api_version)
      .where('kind', '=', kind)
      .where('name', '=', name)
      .execute()
  }
}

/** Deletes the whole inventory of a deployment. */
export async function deleteInventory(db: Db, deploymentId: string): Promise<void> {
  await db.deleteFrom('cluster_object').where('deployment_id', '=', deploymentId).execute()
}
