import { sql, type Selectable } from 'kysely'

import type { Db, IngestionRunTable } from './tables.ts'

/** A stored run of an ingestion. */
export type IngestionRunRow = Selectable<IngestionRunTable>

/** How many runs of an ingestion, and of all ingestions of a deployment, are kept. */
const KEPT_RUNS = { ofIngestion: 100, ofDeployment: 1_000 }

/** A position in a list of runs, newest first. */
export interface RunPosition {
  readonly time: Date
  readonly uid: string
}

/** Lists the runs of a deployment that have not ended, and those of these Jobs. */
export async function listTrackedRuns(
  db: Db,
  deploymentId: string,
  jobUids: readonly string[],
): Promise<IngestionRunRow[]> {
  return await db
    .selectFrom('ingestion_run')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .where((where) =>
      where.or([
        where('state', 'in', ['pending', 'running']),
        ...(jobUids.length > 0 ? [where('job_uid', 'in', jobUids)] : []),
      ]),
    )
    .execute()
}

/** Lists the runs of an ingestion before a position, newest first. */
export async function listRunsBefore(
  db: Db,
  deploymentId: string,
  component: string,
  page: { readonly before?: RunPosition; readonly limit: number },
): Promise<IngestionRunRow[]> {
  const { before } = page
  return await db
    .selectFrom('ingestion_run')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .where('component', '=', component)
    .$if(before !== undefined, (query) =>
      query.where(
        sql<boolean>`(create_time, job_uid) < (${before?.time ?? null}, ${before?.uid ?? null})`,
      ),
    )
    .orderBy('create_time', 'desc')
    .orderBy('job_uid', 'desc')
    .limit(page.limit)
    .execute()
}

/** Finds the latest run of an ingestion with this name. */
export async function findRun(
  db: Db,
  deploymentId: string,
  component: string,
  name: string,
): Promise<IngestionRunRow | undefined> {
  return await db
    .selectFrom('ingestion_run')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .where('component', '=', component)
    .where('name', '=', name)
    .orderBy('create_time', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the latest run of each ingestion of a deployment, by component. */
export async function latestRuns(
  db: Db,
  deploymentId: string,
): Promise<ReadonlyMap<string, IngestionRunRow>> {
  const rows = await db
    .selectFrom('ingestion_run')
    .selectAll()
    .distinctOn('component')
    .where('deployment_id', '=', deploymentId)
    .orderBy('component')
    .orderBy('create_time', 'desc')
    .orderBy('job_uid', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.component, row]))
}

/**
 * Returns the latest runs of each ingestion that have ended in a revision: one that has succeeded
 * or failed, and one that was canceled later.
 */
export async function latestEnds(
  db: Db,
  deploymentId: string,
  revision: number,
): Promise<IngestionRunRow[]> {
  const wasCanceled = sql<boolean>`state = 'canceled'`
  const rows = await db
    .selectFrom('ingestion_run')
    .selectAll()
    .distinctOn(['component', wasCanceled])
    .where('deployment_id', '=', deploymentId)
    .where('revision', '=', revision)
    .where('state', 'not in', ['pending', 'running'])
    .orderBy('component')
    .orderBy(wasCanceled)
    .orderBy('create_time', 'desc')
    .orderBy('job_uid', 'desc')
    .execute()
  const outcomes = new Map(
    rows.filter(({ state }) => state !== 'canceled').map((row) => [row.component, row]),
  )
  return rows.filter((row) => {
    const outcome = outcomes.get(row.component)
    return outcome === undefined || outcome.create_time <= row.create_time
  })
}

/** Stores a new run, unless it is stored already. */
export async function insertRun(db: Db, row: IngestionRunRow): Promise<void> {
  await db
    .insertInto('ingestion_run')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Stores a run, unless it has ended before: then nothing changes any more. Returns whether it was
 * stored.
 */
export async function storeRun(db: Db, row: IngestionRunRow): Promise<boolean> {
  const { deployment_id: _d, job_uid: _u, revision: _r, create_time: _c, ...change } = row
  const stored = await db
    .insertInto('ingestion_run')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['deployment_id', 'job_uid'])
        .doUpdateSet(change)
        .where('ingestion_run.state', 'in', ['pending', 'running']),
    )
    .returning('job_uid')
    .executeTakeFirst()
  return stored !== undefined
}

/** Deletes the oldest runs of a deployment, as far as they are more than are kept. */
export async function deleteOldRuns(db: Db, deploymentId: string): Promise<void> {
  await sql`
    DELETE FROM ingestion_run WHERE deployment_id = ${deploymentId} AND job_uid IN (
      SELECT job_uid FROM (
        SELECT job_uid, state,
          row_number() OVER (PARTITION BY component ORDER BY create_time DESC) AS of_ingestion,
          row_number() OVER (ORDER BY create_time DESC) AS of_deployment
        FROM ingestion_run WHERE deployment_id = ${deploymentId}
      ) AS ranked
      WHERE state NOT IN ('pending', 'running')
        AND (of_ingestion > ${KEPT_RUNS.ofIngestion} OR of_deployment > ${KEPT_RUNS.ofDeployment}))
  `.execute(db)
}
