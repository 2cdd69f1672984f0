import { parseConfig, type Environment } from './config/config.ts'
import {
  createDatabase,
  databaseAddress,
  describeOutcome,
  isTransient,
  migrate,
  readDatabaseUrl,
  type Migration,
} from './db/index.ts'
import { replayOutbox } from './events/index.ts'
import type { Command } from './process/run-service.ts'
import { waitForServer } from './process/wait-for-server.ts'

/** How long commands wait for a server that doesn't answer. It may start later. */
export const SERVER_TIMEOUT_MS = 60_000

export interface ServiceDatabase {
  readonly service: string
  readonly url: string
}

/** How `migrate` reports to the operator, and how long it waits for a server. */
export interface MigrateOptions {
  /** Is called with each line. By default lines go to standard output. */
  readonly report?: (line: string) => void
  readonly timeoutMs?: number
}

/**
 * The commands of a service with a database and an outbox: `migrate` brings the database up to
 * date, `replay TIME` publishes the events since then again. They read only DATABASE_URL.
 */
export function databaseCommands(
  service: string,
  env: Environment,
  migrations: Readonly<Record<string, Migration>>,
): Readonly<Record<'migrate' | 'replay', Command>> {
  const source = () => parseConfig(env, (reader) => ({ service, url: readDatabaseUrl(reader) }))
  return {
    migrate: () => migrateDatabase(source(), migrations),
    async replay(since) {
      const count = await replayEvents(source(), since)
      printLine(`${count} events will be published again`)
    },
  }
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Brings a service's database up to date and reports what was done. */
export async function migrateDatabase(
  database: ServiceDatabase,
  migrations: Readonly<Record<string, Migration>>,
  { report = printLine, timeoutMs = SERVER_TIMEOUT_MS }: MigrateOptions = {},
): Promise<void> {
  await using db = open(database)
  const name = `the database at ${databaseAddress(database.url)}`
  const remedy = 'Check DATABASE_URL, and that the server runs and can be reached from here'
  const server = { name, remedy, timeoutMs, isTransient, report }
  const outcome = await waitForServer(server, () => migrate(db, migrations))
  report(`${name}: ${describeOutcome(outcome)}`)
}

/**
 * Makes the running service publish its stored events since a point in time again, for consumers
 * that lost their data. Returns their number. Throws if `since` is not a valid time.
 */
export async function replayEvents(database: ServiceDatabase, since: string): Promise<number> {
  const time = new Date(since)
  if (Number.isNaN(time.getTime()))
    throw new Error('replay needs a time, e.g. 2026-11-21T12:00:00Z')
  await using db = open(database)
  return await replayOutbox(db, { since: time })
}

function open({ service, url }: ServiceDatabase) {
  return createDatabase({ url, applicationName: `${service} command`, poolSize: 2 })
}
