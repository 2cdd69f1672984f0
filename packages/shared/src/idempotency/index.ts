export { idempotencyMigration, idempotencyOwnerMigration } from './migration.ts'
export { recordResponse, withIdempotencyKeys } from './policy.ts'
