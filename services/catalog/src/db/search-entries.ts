import { isStatementTimeout, transaction, type Database } from '@slipway/shared/db'
import { FailedPrecondition } from '@slipway/shared/errors'
import { sql } from 'kysely'

import { listEntries, type EntryQuery, type ListPage } from './agent-lists.ts'
import type { CatalogSchema } from './tables.ts'

/** The longest time of the first statement of a search, and of each further one. */
const FIRST_MS = 100
const STATEMENT_MS = 500
/** How many agents are compared with the search, one after another in the order of the list. */
const MAX_SCANNED = 50_000

/**
 * Searches the public agents at a bounded cost, the cheapest way first. The database expects little
 * work for most searches, and is mostly right. Otherwise many agents match, which soon fill a page
 * in the order of the list. If neither is enough, it gets more time. Throws FailedPrecondition
 * `search_too_broad` if that isn't enough either.
 */
export async function searchEntries(
  db: Database<CatalogSchema>,
  query: EntryQuery,
): Promise<ListPage> {
  const first = await inTime(db, query, FIRST_MS)
  if (first !== undefined) return first
  const scanned = await inTime(db, query, STATEMENT_MS, MAX_SCANNED)
  // Otherwise there may be more agents beyond those that were compared.
  if (scanned?.hasMore === true) return scanned
  const last = await inTime(db, query, STATEMENT_MS)
  if (last !== undefined) return last
  throw new FailedPrecondition(
    'search_too_broad',
    `the search took longer than ${STATEMENT_MS} ms, because too many agents match a part of it; ` +
      'narrow it: search for longer or rarer words, name an account, or ask for fewer agents at ' +
      'once with limit',
  )
}

/** Lists a page on one processor. Undefined if a statement takes too long. */
async function inTime(
  db: Database<CatalogSchema>,
  query: EntryQuery,
  timeMs: number,
  maxScanned?: number,
): Promise<ListPage | undefined> {
  try {
    return await transaction(db, async (trx) => {
      await sql`
        SELECT set_config('statement_timeout', ${String(timeMs)}, true),
          set_config('max_parallel_workers_per_gather', '0', true),
          set_config('jit', 'off', true)`.execute(trx)
      return await listEntries(trx, query, maxScanned)
    })
  } catch (error) {
    if (isStatementTimeout(error)) return undefined
    throw error
  }
}
