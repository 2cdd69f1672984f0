import { sql, type Kysely } from 'kysely'

import { searchTextOf, wordsOf } from '../domain/search-words.ts'
import type { CatalogSchema } from './tables.ts'

/** The approximate size of an entry without its strings. */
const ENTRY_OVERHEAD_BYTES = 200

/**
 * Updates the public list with an agent's latest published version, or removes the agent if it has
 * none. The agent must be locked. Locks the account's name until the transaction ends.
 */
export async function refreshCatalogEntry(
  trx: Kysely<CatalogSchema>,
  agent: { id: string; accountId: string; name: string },
): Promise<void> {
  const latest = await trx
    .selectFrom('build')
    .select(['ordinal', 'build_id', 'registry', 'version', 'publish_time', 'description', 'tags'])
    .where('agent_id', '=', agent.id)
    .where('version_key', 'is not', null)
    .where('is_yanked', '=', false)
    .orderBy('is_stable', 'desc')
    .orderBy('version_key', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (latest === undefined) {
    await trx.deleteFrom('catalog_entry').where('agent_id', '=', agent.id).execute()
    return
  }
  const size = [
    agent.name,
    latest.build_id,
    latest.registry,
    latest.version ?? '',
    latest.description ?? '',
  ]
    .concat(latest.tags)
    .reduce((sum, text) => sum + Buffer.byteLength(text) + 4, ENTRY_OVERHEAD_BYTES)
  const searchText = searchTextOf(agent.name, latest.tags, latest.description ?? '')
  // The lock on the name makes a rename wait until the entry is stored.
  await sql`
    INSERT INTO catalog_entry (
      agent_id, account_id, account_name, name, build_ordinal, build_id, registry, version,
      publish_time, description, tags, search_text, search_words, entry_bytes
    )
    SELECT ${agent.id}, account.id, account.name, ${agent.name}, ${latest.ordinal},
      ${latest.build_id}, ${latest.registry}, ${latest.version}, ${latest.publish_time},
      ${latest.description}, ${latest.tags}::text[], ${searchText},
      array_to_tsvector(${wordsOf(searchText)}::text[]), ${size}
    FROM account WHERE account.id = ${agent.accountId} FOR KEY SHARE
    ON CONFLICT (agent_id) DO UPDATE SET
      build_ordinal = excluded.build_ordinal,
      build_id = excluded.build_id,
      registry = excluded.registry,
      version = excluded.version,
      publish_time = excluded.publish_time,
      description = excluded.description,
      tags = excluded.tags,
      search_text = excluded.search_text,
      search_words = excluded.search_words,
      entry_bytes = excluded.entry_bytes`.execute(trx)
}
