import { logMigration, withAdvisoryLock, type Database } from '@slipway/shared/db'
import type { Logger } from '@slipway/shared/logger'

import type { Engine } from './store/engine.ts'
import {
  checkTables,
  keepDaysFor,
  migrateTables,
  type TablesOutcome,
} from './store/migrate-tables.ts'

/** How long to wait for another process that migrates. It only changes definitions. */
const LOCK_WAIT_MS = 60_000

/**
 * Migrates ClickHouse's tables, one process at a time: ClickHouse has no locks, so one in Postgres
 * is used.
 */
export async function migrateTraceStore<Schema>(
  db: Database<Schema>,
  engine: Engine,
  retentionDays: number,
): Promise<TablesOutcome> {
  const turn = await withAdvisoryLock(db, 'trace-store', { tryForMs: LOCK_WAIT_MS }, () =>
    migrateTables(engine, retentionDays),
  )
  if (!turn.acquired) throw new Error('another process is still migrating the trace store')
  return turn.result
}

/** What prepares ClickHouse's tables when the service opens it. */
export interface TraceStorePreparation<Schema> {
  readonly db: Database<Schema>
  readonly retentionDays: number
  readonly logger: Logger
  /** Whether to migrate the tables; otherwise they are only checked. */
  readonly migrateOnStart: boolean
}

/** Migrates or checks ClickHouse's tables. Throws SchemaMismatch if they don't fit. */
export async function prepareTraceStore<Schema>(
  { db, retentionDays, logger, migrateOnStart }: TraceStorePreparation<Schema>,
  engine: Engine,
): Promise<void> {
  if (migrateOnStart) {
    logMigration(logger, 'trace store', await migrateTraceStore(db, engine, retentionDays))
    return
  }
  const keepDays = await checkTables(engine)
  const expected = keepDaysFor(retentionDays)
  if (keepDays.some((days) => days !== expected))
    logger.warn({ keep_days: keepDays, expected, remedy: 'run migrate' }, 'trace_retention_differs')
}
