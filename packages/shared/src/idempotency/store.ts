import { sql, type Kysely } from 'kysely'

import { Conflict } from '../errors.ts'

/** The number of expired responses that each lookup removes. */
const REMOVED_AT_ONCE = 10
/** What the responses of one user may occupy, about. */
const MAX_BYTES_PER_USER = 16 * 1024 * 1024
/** What a response counts in addition to its own bytes. */
const ROW_BYTES = 1024
/** The responses of a user are counted once for this many bytes on average: it reads all rows. */
const COUNTED_EVERY_BYTES = 512 * 1024

/** A stored response with the fingerprint of its request. */
export interface StoredResponse {
  readonly fingerprint: string
  readonly response: Uint8Array
}

export interface NewResponse extends StoredResponse {
  readonly scope: Buffer
  /** Identifies the user. */
  readonly owner: Buffer
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
 * Stores the response of a scope, and removes the oldest ones of a user who has too many. Throws
 * Conflict if one exists by now, which rolls the transaction back: this process lost its lock, and
 * another one has handled the request.
 */
export async function insertResponse<Schema>(
  db: Kysely<Schema>,
  { scope, owner, fingerprint, response }: NewResponse,
): Promise<void> {
  const { rows } = await sql`
    INSERT INTO idempotency_key (scope, owner, fingerprint, response)
    VALUES (${scope}, ${owner}, ${fingerprint}, ${Buffer.from(response)})
    ON CONFLICT (scope) DO UPDATE
      SET owner = excluded.owner,
          fingerprint = excluded.fingerprint,
          response = excluded.response,
          create_time = excluded.create_time
      WHERE idempotency_key.create_time < now() - INTERVAL '24 hours'
    RETURNING scope`.execute(db)
  if (rows.length === 0) throw keyInUse()
  if (Math.random() * COUNTED_EVERY_BYTES < response.length + ROW_BYTES)
    await removeExcess(db, owner)
}

/** Removes the oldest responses of a user that exceed the bound. */
async function removeExcess<Schema>(db: Kysely<Schema>, owner: Buffer): Promise<void> {
  await sql`
    WITH counted AS (
      SELECT scope, sum(octet_length(response) + ${ROW_BYTES}::integer)
        OVER (ORDER BY create_time DESC, scope) AS bytes
      FROM idempotency_key WHERE owner = ${owner}
    )
    DELETE FROM idempotency_key WHERE scope IN (
      SELECT scope FROM idempotency_key
      WHERE scope IN (SELECT scope FROM counted WHERE bytes > ${MAX_BYTES_PER_USER})
      FOR UPDATE SKIP LOCKED
    )`.execute(db)
}

/** A request with the same key is running. */
export function keyInUse(): Conflict {
  return new Conflict(
    'idempotency_key_in_use',
    'a request with this idempotency key is still running; retry later',
    { retryAfterMs: 1_000 },
  )
}
