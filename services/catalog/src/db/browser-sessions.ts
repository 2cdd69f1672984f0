import { sql, type Kysely } from 'kysely'

import type { SessionLimits } from '../config.ts'
import type { CatalogSchema } from './tables.ts'

/** How long the holder of a lease may take to replace the content of a session. */
const LEASE_SECONDS = 15

/** A session that has not ended. */
export interface BrowserSessionRow {
  readonly id: string
  readonly user_id: string
  readonly version: number
  readonly sealed: Buffer
  readonly expire_time: Date
  readonly idle_expire_time: Date
  /** Whether the last use was stored less than a minute ago. */
  readonly is_fresh: boolean
}

/** Stores a session; returns undefined if another one has the hash. */
export async function insertSession(
  trx: Kysely<CatalogSchema>,
  session: { id: string; hash: Buffer; userId: string; sealed: Buffer },
): Promise<string | undefined> {
  const row = await trx
    .insertInto('browser_session')
    .values({
      id: session.id,
      hash: session.hash,
      user_id: session.userId,
      sealed: session.sealed,
    })
    .onConflict((conflict) => conflict.constraint('browser_session_hash').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Finds the session of a hash, unless it has ended. */
export async function findSession(
  db: Kysely<CatalogSchema>,
  hash: Buffer,
  limits: SessionLimits,
): Promise<BrowserSessionRow | undefined> {
  const { rows } = await sql<BrowserSessionRow>`
    SELECT ${columns(limits)} FROM browser_session
    WHERE hash = ${hash} AND ${isLive(limits)}`.execute(db)
  return rows[0]
}

/**
 * Gives out the lease of a session with a version, unless another caller has one. Returns whether
 * it did.
 */
export async function leaseSession(
  db: Kysely<CatalogSchema>,
  { hash, version, leaseId }: { hash: Buffer; version: number; leaseId: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE browser_session
    SET lease_id = ${leaseId}, lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE hash = ${hash} AND version = ${version}
      AND (lease_until IS NULL OR lease_until <= now())`.execute(db)
  return numAffectedRows > 0n
}

/** Replaces the content of a session, by its lease. Returns whether it did. */
export async function replaceContent(
  db: Kysely<CatalogSchema>,
  { hash, leaseId, sealed }: { hash: Buffer; leaseId: string; sealed: Buffer },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE browser_session
    SET sealed = ${sealed}, version = version + 1, lease_id = NULL, lease_until = NULL
    WHERE hash = ${hash} AND lease_id = ${leaseId}`.execute(db)
  return numAffectedRows > 0n
}

export async function endLease(
  db: Kysely<CatalogSchema>,
  { hash, leaseId }: { hash: Buffer; leaseId: string },
): Promise<void> {
  await sql`
    UPDATE browser_session SET lease_id = NULL, lease_until = NULL
    WHERE hash = ${hash} AND lease_id = ${leaseId}`.execute(db)
}

/** Stores that a session was used, at most once a minute, whatever other replicas do. */
export async function recordSessionUse(db: Kysely<CatalogSchema>, id: string): Promise<void> {
  await sql`
    UPDATE browser_session SET last_use_time = now()
    WHERE id = ${id} AND last_use_time < now() - INTERVAL '1 minute'`.execute(db)
}

/** Finds the user of a session, also of one that has ended. */
export async function findSessionUser(
  db: Kysely<CatalogSchema>,
  hash: Buffer,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('browser_session')
    .select('user_id')
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row?.user_id
}

/** Deletes a session, or all of a user; returns their ids. */
export async function deleteSessions(
  trx: Kysely<CatalogSchema>,
  which: { readonly hash: Buffer } | { readonly userId: string },
): Promise<readonly string[]> {
  const deletion = trx.deleteFrom('browser_session').returning('id')
  const rows = await (
    'hash' in which
      ? deletion.where('hash', '=', which.hash)
      : deletion.where('user_id', '=', which.userId)
  ).execute()
  return rows.map(({ id }) => id)
}

/**
 * Deletes the sessions of a locked user that have ended, and all but the newest `perUser` of the
 * others. Returns the ids of the latter.
 */
export async function deleteSurplusSessions(
  trx: Kysely<CatalogSchema>,
  userId: string,
  limits: SessionLimits,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string; was_live: boolean }>`
    DELETE FROM browser_session USING (
      SELECT id, ${isLive(limits)} AS was_live,
        row_number() OVER (ORDER BY ${isLive(limits)} DESC, create_time DESC, id) AS place
      FROM browser_session WHERE user_id = ${userId}
    ) ranked
    WHERE browser_session.id = ranked.id
      AND (place > ${limits.perUser} OR NOT ranked.was_live)
    RETURNING browser_session.id, ranked.was_live`.execute(trx)
  return rows.flatMap(({ id, was_live: wasLive }) => (wasLive ? id : []))
}

/** Deletes up to `most` sessions that have ended; returns how many. */
export async function deleteEndedSessions(
  db: Kysely<CatalogSchema>,
  limits: SessionLimits,
  most: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM browser_session WHERE id IN (
      SELECT id FROM browser_session WHERE NOT ${isLive(limits)}
      LIMIT ${most} FOR UPDATE SKIP LOCKED
    )`.execute(db)
  return Number(numAffectedRows)
}

function columns({ lifetimeMinutes, idleMinutes }: SessionLimits) {
  return sql`id, user_id, version, sealed,
    create_time + make_interval(mins => ${lifetimeMinutes}) AS expire_time,
    last_use_time + make_interval(mins => ${idleMinutes}) AS idle_expire_time,
    last_use_time >= now() - INTERVAL '1 minute' AS is_fresh`
}

function isLive({ lifetimeMinutes, idleMinutes }: SessionLimits) {
  return sql<boolean>`(create_time > now() - make_interval(mins => ${lifetimeMinutes})
    AND last_use_time > now() - make_interval(mins => ${idleMinutes}))`
}
