import { ClickHouseError } from '@clickhouse/client'
import { parseConfig, type ConfigReader, type Environment } from '@slipway/shared/config'
import {
  migrateDatabase,
  printLine,
  SERVER_TIMEOUT_MS,
  type MigrateOptions,
} from '@slipway/shared/database-commands'
import {
  createDatabase,
  describeOutcome,
  readDatabaseUrl,
  SchemaMismatch,
} from '@slipway/shared/db'
import { waitForServer } from '@slipway/shared/wait-for-server'

import { readRetentionDays, readTraceStore, type TraceStoreConfig } from './config.ts'
import { migrations } from './db/migrations/index.ts'
import type { Engine } from './store/engine.ts'
import { openEngine } from './store/open-engine.ts'
import { EXTRA_DAYS, type TablesOutcome } from './store/migrate-tables.ts'
import { migrateTraceStore } from './trace-store-schema.ts'

/** The settings of the command. */
export interface MigrateConfig {
  readonly databaseUrl: string
  readonly traceStore: TraceStoreConfig
  readonly retentionDays: number
}

type OpenableStore = Exclude<TraceStoreConfig, { kind: 'none' }>

/** Reads the settings from environment variables; throws a ConfigError with all problems. */
export function readMigrateConfig(env: Environment): MigrateConfig {
  return parseConfig(env, (reader) => ({
    databaseUrl: readDatabaseUrl(reader),
    traceStore: readOpenableStore(reader),
    retentionDays: readRetentionDays(reader),
  }))
}

/** Without a valid authority, the command can't do anything. */
function readOpenableStore(reader: ConfigReader): TraceStoreConfig {
  const store = readTraceStore(reader)
  const ca = store.kind === 'server' ? store.trustedCa : undefined
  if (ca !== undefined && ca.initial === undefined)
    for (const problem of ca.problems) reader.report(`${ca.name}: ${problem}`)
  return store
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
      await using engine = await open(traceStore)
      return await migrateTraceStore(db, engine, retentionDays)
    },
  )
  report(`${name}: ${describe(outcome)}`)
}

async function open(traceStore: OpenableStore): Promise<Engine> {
  try {
    const ca = traceStore.kind === 'server' ? traceStore.trustedCa?.initial : undefined
    return await openEngine(traceStore, ca === undefined ? undefined : () => ca)
  } catch (cause) {
    if (traceStore.kind === 'server') throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `cannot open CLICKHOUSE_DATA_DIR ${traceStore.dataDirectory}: ${reason}. ` +
        'One process can use it at a time: stop the service, and check the rights and free space',
      { cause },
    )
  }
}

function nameOf(traceStore: OpenableStore): string {
  return traceStore.kind === 'server'
    ? `ClickHouse at ${new URL(traceStore.url).host}`
    : `the trace store in ${traceStore.dataDirectory}`
}

/** Whether the server has answered: it won't change its mind. */
function isFinal(error: unknown): boolean {
  return error instanceof ClickHouseError || error instanceof SchemaMismatch
}

function describe(outcome: TablesOutcome): string {
  const { keepDays } = outcome
  if (keepDays === undefined) return describeOutcome(outcome)
  const days = `${keepDays} days, ${EXTRA_DAYS} more than traces are shown`
  return `${describeOutcome(outcome)}; spans are now stored for ${days}`
}
