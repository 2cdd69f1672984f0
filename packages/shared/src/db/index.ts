export { withAdvisoryLock, type AdvisoryLockOptions, type LockOutcome } from './advisory-lock.ts'
export { createDatabase, Database, databaseAddress, type DatabaseOptions } from './database.ts'
export { readDatabaseUrl } from './database-url.ts'
export {
  isStatementTimeout,
  isTransient,
  mapDatabaseError,
  uniqueViolation,
} from './database-error.ts'
export { logMigration } from './log-migration.ts'
export { migrate, type Migration } from './migrate.ts'
export { schemaCheck } from './schema-check.ts'
export {
  compatibleFrom,
  describeOutcome,
  newerMigrations,
  SchemaMismatch,
  type CompatibilityMark,
  type MigrationOutcome,
  type SchemaState,
} from './schema-compatibility.ts'
export { notifyOnCommit, transaction, type TransactionOptions } from './transaction.ts'
