import { isStatementTimeout, transaction, type Database } from '@slipway/shared/db'
import { FailedPrecondition } from '@slipway/shared/errors'
import { sql } from 'kysely'

import { listEntries, type EntryQuery, type ListPage } from './agent-lists.ts'
import type { CatalogSchema } from './tables.ts'

/** The longest time of each statement of a search. */
const STATEMENT_MS = 500
/** How many agents are compared with the search, first and as a last resort. */
const FEW_AGENTS = 2_000
const MANY_AGENTS = 50_000

/**
 * Searches the public agents at a bounded cost, the cheapest way first. What many agents match fills
 * a page soon, in the order of the list. Otherwise the indexes of words and tags find it, unless
 * they find too much. Throws FailedPrecondition `search_too_broad` if all of this isn't enough.
 */
export async function searchEntries(
  db: Database<CatalogSchema>,
  query: EntryQuery,
): Promise<ListPage> {
  const scan = async (agents: number) => {
    const page = await inTime(db, query, agents)
    return page?.hasMore === true ? page : undefined
  }
  const page =
    (await scan(FEW_AGENTS)) ?? (await inTime(db, query)) ?? (await scan(MANY_AGENTS))
  if (page !== undefined) return page
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
  maxScanned?: number,
): Promise<ListPage | undefined> {
  try {
    return await transaction(db, async (trx) => {
      await sql`
        SELECT set_config('statement_timeout', ${String(STATEMENT_MS)}, true),
          set_config('max_parallel_workers_per_gather', '0', true),
          set_config('jit', 'off', true)`.execute(trx)
      return await listEntries(trx, query, maxScanned)
    })
  } catch (error) {
    if (isStatementTimeout(error)) return undefined
    throw error
  }
}
