export { idempotencyMigration } from './migration.ts'
export { recordResponse, withIdempotencyKeys } from './policy.ts'
