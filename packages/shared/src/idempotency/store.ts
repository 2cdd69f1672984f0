import { sql, type Kysely } from 'kysely'

import { Conflict } from '../errors.ts'

/** The number of expired responses that each lookup removes. */
const REMOVED_AT_ONCE = 10

/** A stored response with the fingerprint of its request. */
export interface StoredResponse {
  readonly fingerprint: string
  readonly response: Uint8Array
}

/** Finds the response of a scope, if it is at most 24 hours old. Removes some older responses. */
export async function findResponse<Schema>(
  db: Kysely<Schema>,
  scope: Buffer,
): Promise<StoredResponse | undefined> {
  const { rows } = await sql<StoredResponse>`
    WITH expired AS (
      DELETE FROM idempotency_key WHERE scope IN (
        SELECT scope FROM idempotency_key WHERE create_time < now() - INTERVAL '24 hours'
        ORDER BY create_time LIMIT ${REMOVED_AT_ONCE} FOR UPDATE SKIP LOCKED
      )
    )
    SELECT fingerprint, response FROM idempotency_key
    WHERE scope = ${scope} AND create_time >= now() - INTERVAL '24 hours'`.execute(db)
  return rows[0]
}

/**
 * Stores the response of a scope. Throws Conflict if one exists by now, which rolls the transaction
 * back: this process lost its lock, and another one has handled the request.
 */
export async function insertResponse<Schema>(
  db: Kysely<Schema>,
  { scope, fingerprint, response }: StoredResponse & { readonly scope: Buffer },
): Promise<void> {
  const { rows } = await sql`
    INSERT INTO idempotency_key (scope, fingerprint, response)
    VALUES (${scope}, ${fingerprint}, ${Buffer.from(response)})
    ON CONFLICT (scope) DO UPDATE
      SET fingerprint = excluded.fingerprint,
          response = excluded.response,
          create_time = excluded.create_time
      WHERE idempotency_key.create_time < now() - INTERVAL '24 hours'
    RETURNING scope`.execute(db)
  if (rows.length === 0) throw keyInUse()
}

/** A request with the same key is running. */
export function keyInUse(): Conflict {
  return new Conflict(
    'idempotency_key_in_use',
    'a request with this idempotency key is still running; retry later',
    { retryAfterMs: 1_000 },
  )
}
