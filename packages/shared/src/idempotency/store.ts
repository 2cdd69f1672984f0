import { sql, type Kysely } from 'kysely'

import { Conflict } from '../errors.ts'

/** How many expired answers are removed when one is looked for. */
const REMOVED_AT_ONCE = 10

/** An answer that was given before, and what the request was that got it. */
export interface StoredResponse {
  readonly fingerprint: string
  readonly response: Uint8Array
}

/**
 * Finds the answer to the request of a scope, if one was given in the last 24 hours; removes some
 * older ones.
 */
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
 * Stores the answer to the request of a scope. Throws Conflict when there is one by now, which
 * undoes the transaction: another process took the work up because this one had lost its lock.
 */
export async function insertResponse<Schema>(
  db: Kysely<Schema>,
  { scope, fingerprint, response }: StoredResponse & { readonly scope: Buffer },
): Promise<void> {
  const { rows } = await sql`
    INSERT INTO idempotency_key (scope, fingerprint, response) VALUES (${scope}, ${fingerprint}, ${Buffer.from(response)})
    ON CONFLICT (scope) DO UPDATE
      SET fingerprint = excluded.fingerprint, response = excluded.response, create_time = excluded.create_time
      WHERE idempotency_key.create_time < now() - INTERVAL '24 hours'
    RETURNING scope`.execute(db)
  if (rows.length === 0) throw keyInUse()
}

/** A request with the same key is being worked on. */
export function keyInUse(): Conflict {
  return new Conflict(
    'idempotency_key_in_use',
    'a request with this idempotency key is still running',
    {
      retryAfterMs: 1_000,
    },
  )
}
