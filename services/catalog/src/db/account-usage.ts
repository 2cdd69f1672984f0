import type { Kysely } from 'kysely'

import type { CatalogSchema } from './tables.ts'

/** What an account stores, by the names of its limits. */
export interface StoredContent {
  readonly agents: number
  readonly builds: number
  readonly catalog_bytes: number
}

/** Reads what an account stores. */
export async function readStoredContent(
  db: Kysely<CatalogSchema>,
  accountId: string,
): Promise<StoredContent> {
  const row = await db
    .selectFrom('account_usage')
    .select(['agents', 'builds', 'content_bytes as catalog_bytes'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row ?? { agents: 0, builds: 0, catalog_bytes: 0 }
}
