import { createDatabase, migrate } from '@slipway/shared/db'
import { replayOutbox } from '@slipway/shared/events'

import type { CatalogConfig } from './config.ts'
import { migrations } from './db/migrations/index.ts'

/** Brings the catalog's database to this version. */
export async function migrateCatalog(config: CatalogConfig): Promise<void> {
  await using db = openDatabase(config)
  await migrate(db, migrations)
}

/**
 * Has the events since a point in time, as far as they are kept, published again by the running
 * catalog; tells how many. For consumers that have lost what they knew. Throws for a text that is
 * no time.
 */
export async function replayCatalogEvents(config: CatalogConfig, since: string): Promise<number> {
  const time = new Date(since)
  if (Number.isNaN(time.getTime()))
    throw new Error('replay needs a time, e.g. 2026-11-21T12:00:00Z')
  await using db = openDatabase(config)
  return await replayOutbox(db, { since: time })
}

function openDatabase({ database }: CatalogConfig) {
  return createDatabase({ url: database.url, applicationName: 'catalog command', poolSize: 2 })
}
