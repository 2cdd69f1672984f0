import type { Logger } from '../logging/logger.ts'
import type { MigrationOutcome } from './schema-compatibility.ts'

/** Logs what a migration at the start of a service has done with one of its stores. */
export function logMigration(
  logger: Logger,
  store: 'database' | 'trace store',
  { applied, newer }: MigrationOutcome,
): void {
  if (newer.length > 0) logger.warn({ store, newer }, 'schema_is_newer')
  else if (applied.length > 0) logger.info({ store, applied }, 'schema_migrated')
}
