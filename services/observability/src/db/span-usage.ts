import { sql, type Kysely } from 'kysely'

import type { ObservabilitySchema } from './tables.ts'

/** How long counts are kept; only those of the current day have an effect. */
const KEPT_DAYS = 7

/** An account on a day, as YYYY-MM-DD. */
export interface AccountDay {
  readonly accountId: string
  readonly day: string
}

/** Returns how many spans an account has stored on a day. */
export async function readSpanCount(
  db: Kysely<ObservabilitySchema>,
  { accountId, day }: AccountDay,
): Promise<number> {
  const { rows } = await sql<{ spans: number }>`
    SELECT spans FROM span_usage WHERE account_id = ${accountId} AND day = ${day}::date`.execute(db)
  return rows[0]?.spans ?? 0
}

/** Adds to the counts of several accounts in one statement; returns the sums in their order. */
export async function addSpanCounts(
  db: Kysely<ObservabilitySchema>,
  counts: readonly (AccountDay & { readonly spans: number })[],
): Promise<readonly number[]> {
  // Every process locks the rows in the same order, so that none waits for another in a circle.
  const { rows } = await sql<AccountDay & { spans: number }>`
    INSERT INTO span_usage (account_id, day, spans)
    SELECT * FROM unnest(
      ${counts.map(({ accountId }) => accountId)}::text[],
      ${counts.map(({ day }) => day)}::date[],
      ${counts.map(({ spans }) => spans)}::bigint[]
    ) AS added (account_id, day, spans)
    ORDER BY account_id COLLATE "C", day
    ON CONFLICT (account_id, day) DO UPDATE SET spans = span_usage.spans + excluded.spans
    RETURNING account_id AS "accountId", day::text AS day, spans`.execute(db)
  const sums = new Map(rows.map((row) => [`${row.day} ${row.accountId}`, row.spans]))
  return counts.map(({ accountId, day }) => sums.get(`${day} ${accountId}`) ?? 0)
}

/** Deletes the counts of days that are long past. */
export async function deleteOldSpanCounts(
  db: Kysely<ObservabilitySchema>,
  today: string,
): Promise<void> {
  await sql`DELETE FROM span_usage WHERE day < ${today}::date - ${KEPT_DAYS}::integer`.execute(db)
}
