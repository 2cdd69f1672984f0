import { transaction } from '@slipway/shared/db'
import { waitFor } from '@slipway/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { failureOf, startTestCatalog, type TestCatalog } from './support/catalog.ts'

/** More than two pages of them are even. */
const AGENTS = 3_000

let catalog: TestCatalog
let ann: Awaited<ReturnType<TestCatalog['signIn']>>
beforeAll(async () => {
  catalog = await startTestCatalog()
  ann = await catalog.signIn('ann')
  await fill()
})
afterAll(() => catalog[Symbol.asyncDispose]())

/** Every second agent is even, and the last two are rare. */
async function fill() {
  const id = sql`('30000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid`
  const name = sql`'agent-' || lpad(i::text, 4, '0')`
  const numbers = sql`generate_series(1, ${AGENTS}::integer) i`
  await sql`INSERT INTO agent (id, account_id, name, build_count, version_count)
    SELECT ${id}, ${ann.accountId}, ${name}, 1, 1 FROM ${numbers}`.execute(catalog.db)
  await sql`
    INSERT INTO build (agent_id, ordinal, build_id, registry, spec_yaml, spec_json, tags,
      warnings_json, content_bytes, version, version_key, is_stable, publish_time)
    SELECT ${id}, 1, 'b', 'r.example', '', '{}', '{}', '[]', 1, '1.0.0', '\\x01', true, now()
    FROM ${numbers}`.execute(catalog.db)
  const words = sql`name || CASE i % 2 WHEN 0 THEN ' even' ELSE ' odd' END
    || CASE WHEN i > ${AGENTS}::integer - 2 THEN ' rare' ELSE '' END`
  await sql`
    INSERT INTO catalog_entry (agent_id, account_id, account_name, name, build_ordinal, build_id,
      registry, version, publish_time, tags, search_text, search_words, entry_bytes)
    SELECT ${id}, ${ann.accountId}, 'ann', name, 1, 'b', 'r.example', '1.0.0', now(),
      string_to_array(${words}, ' '), ${words}, to_tsvector('simple', ${words}), 300
    FROM ${numbers} CROSS JOIN LATERAL (SELECT ${name} AS name) named`.execute(catalog.db)
}

async function pages(request: Parameters<TestCatalog['agents']['listAgents']>[0]) {
  const found: string[][] = []
  for (let pageToken = ''; ;) {
    const page = await catalog.agents.listAgents({ ...request, pageToken })
    found.push(page.agents.map(({ name }) => name))
    if (page.nextPageToken === '') return found
    pageToken = page.nextPageToken
  }
}

test('finds all agents, whether many or few match', async () => {
  for (const request of [{ query: 'even' }, { tag: 'even' }, { query: 'ev' }]) {
    const found = await pages({ ...request, pageSize: 1000 })
    expect(found.map((page) => page.length)).toEqual([1000, 500])
    expect(new Set(found.flat()).size).toBe(1500)
    expect(found.flat()).toEqual(found.flat().toSorted())
  }
  const rare = [`agent-${AGENTS - 1}`, `agent-${AGENTS}`]
  expect(await pages({ query: 'rare' })).toEqual([rare])
  expect(await pages({ tag: 'rare', pageSize: 1 })).toEqual(rare.map((name) => [name]))
  expect(await pages({ query: 'ra even' })).toEqual([rare.slice(1)])
  expect(await pages({ query: 'even', account: 'ann', pageSize: 1000 })).toHaveLength(2)
})

test('ends a search that takes too long, and few run at the same time', async () => {
  await transaction(catalog.db, async (trx) => {
    await sql`LOCK TABLE catalog_entry IN ACCESS EXCLUSIVE MODE`.execute(trx)
    const running = async () => {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*) AS count FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(trx)
      return rows[0]?.count
    }
    const searches = ['a', 'even', 'odd'].flatMap((query) => [
      failureOf(catalog.agents.listAgents({ query })),
      failureOf(catalog.agents.listAgents({ tag: query })),
    ])
    await waitFor(async () => (await running()) === 2, { what: 'two searches' })
    const { accounts } = await catalog.accounts.getProfile({}, ann.options)
    expect(accounts).toHaveLength(1)
    expect(await running()).toBeLessThanOrEqual(2)
    expect(await Promise.all(searches)).toEqual(searches.map(() => 'search_too_broad'))
  })
})
