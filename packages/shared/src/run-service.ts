import { createDatabase, migrate, type Migration } from './db/index.ts'
import { replayOutbox } from './events/index.ts'
import { runCommand, runUntilSignalled, type RunOptions } from './run-until-signalled.ts'
import type { LOG_LEVELS } from './logger.ts'

interface DatabaseServiceConfig {
  readonly logLevel: (typeof LOG_LEVELS)[number]
  readonly database: { readonly url: string }
}

/** A service as a process, with a database and an outbox. */
export interface DatabaseServiceOptions<Config> extends RunOptions<Config> {
  readonly migrations: Readonly<Record<string, Migration>>
}

/**
 * Runs a service as the command line says: `migrate` brings its database up to date, `replay TIME`
 * publishes its events since then again, no command runs the service.
 */
export async function runDatabaseService<Config extends DatabaseServiceConfig>(
  options: DatabaseServiceOptions<Config>,
): Promise<void> {
  const { name, readConfig, migrations } = options
  const [command, argument = ''] = process.argv.slice(2)
  const source = () => ({ service: name, url: readConfig().database.url })
  if (command === 'migrate') await runCommand(() => migrateDatabase(source(), migrations))
  else if (command === 'replay') {
    await runCommand(async () => {
      const count = await replayEvents(source(), argument)
      process.stdout.write(`${count} events will be published again\n`)
    })
  } else await runUntilSignalled(options)
}

/** The database of a service. */
export interface ServiceDatabase {
  readonly service: string
  readonly url: string
}

/** Brings a service's database up to date. */
export async function migrateDatabase(
  database: ServiceDatabase,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  await using db = open(database)
  await migrate(db, migrations)
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
