import { ClickHouseError } from '@clickhouse/client'
import { parseConfig, type Environment } from '@slipway/shared/config'
import {
  migrateDatabase,
  printLine,
  SERVER_TIMEOUT_MS,
  type MigrateOptions,
} from '@slipway/shared/database-commands'
import { createDatabase, describeOutcome, SchemaMismatch } from '@slipway/shared/db'
import { waitForServer } from '@slipway/shared/wait-for-server'

import { readRetentionDays, readTraceStore, type TraceStoreConfig } from './config.ts'
import { migrations } from './db/migrations/index.ts'
import { openEngine } from './store/open-engine.ts'
import type { SpansOutcome } from './store/migrate-spans.ts'
import { migrateTraceStore } from './trace-store-schema.ts'

/** The settings of the command. */
export interface MigrateConfig {
  readonly databaseUrl: string
  readonly traceStore: TraceStoreConfig
  readonly retentionDays: number
}

/** Reads the settings from environment variables; throws a ConfigError with all problems. */
export function readMigrateConfig(env: Environment): MigrateConfig {
  return parseConfig(env, (reader) => ({
    databaseUrl: reader.string('DATABASE_URL'),
    traceStore: readTraceStore(reader),
    retentionDays: readRetentionDays(reader),
  }))
}

/** Brings Postgres and ClickHouse up to date and reports what was done. */
export async function migrateStores(
  { databaseUrl, traceStore, retentionDays }: MigrateConfig,
  { report = printLine, timeoutMs = SERVER_TIMEOUT_MS }: MigrateOptions = {},
): Promise<void> {
  await migrateDatabase({ service: 'observability', url: databaseUrl }, migrations, {
    report,
    timeoutMs,
  })
  if (traceStore.kind === 'none') {
    report('the trace store is turned off: CLICKHOUSE_URL=none')
    return
  }
  await using db = createDatabase({ url: databaseUrl, applicationName: 'observability migrate' })
  const name = nameOf(traceStore)
  const outcome = await waitForServer(
    {
      name,
      remedy: 'Check CLICKHOUSE_URL, and that the server runs and can be reached from here',
      timeoutMs,
      isTransient: (error) => traceStore.kind === 'server' && !isFinal(error),
      report,
    },
    async () => {
      await using engine = await openEngine(traceStore)
      return await migrateTraceStore(db, engine, retentionDays)
    },
  )
  report(`${name}: ${describe(outcome)}`)
}

function nameOf(traceStore: Exclude<TraceStoreConfig, { kind: 'none' }>): string {
  return traceStore.kind === 'server'
    ? `ClickHouse at ${new URL(traceStore.url).host}`
    : `the trace store in ${traceStore.dataDirectory}`
}

/** Whether the server has answered: it won't change its mind. */
function isFinal(error: unknown): boolean {
  return error instanceof ClickHouseError || error instanceof SchemaMismatch
}

function describe(outcome: SpansOutcome): string {
  const { keepDays } = outcome
  return keepDays === undefined
    ? describeOutcome(outcome)
    : `${describeOutcome(outcome)}; spans are now stored for ${keepDays} days`
}
