import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addAgent } from './support/add-agent.ts'
import { specOf, startTestCatalog, type TestCatalog } from './support/catalog.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startTestCatalog({ MAX_DETAIL_BYTES: String(64 * 1024) })
})
afterAll(async () => {
  await catalog[Symbol.asyncDispose]()
})

test('warnings count more than their bytes, since each takes time to send', async () => {
  const { account, options } = await catalog.signIn('warned')
  const unknownKeys = Array.from({ length: 60 }, (_, index) => `key${index}: 1\n`).join('')
  for (const buildId of ['b1', 'b2', 'b3']) {
    const build = { buildId, registry: 'r.example/x', specContent: specOf('warned', unknownKeys) }
    await catalog.agents.registerBuild({ account, name: 'warned', ...build }, options)
  }
  const { agent } = await catalog.agents.getAgent({ account, name: 'warned' }, options)
  const warnings = agent?.versions.map(({ validationWarnings }) => validationWarnings.length)
  expect(warnings).toEqual([60, 60, 0])
})

test('older builds lack spec, readme and warnings past the limit of bytes', async () => {
  const { account, options } = await catalog.signIn('dora')
  const unknownKeys = Array.from(
    { length: 400 },
    (_, index) => `${'k'.repeat(50)}${index}: 1\n`,
  ).join('')
  const specContent = specOf('detailed', unknownKeys)
  for (const buildId of ['b1', 'b2', 'b3']) {
    const registry = 'r.example/x'
    await catalog.agents.registerBuild(
      { account, name: 'detailed', buildId, registry, specContent },
      options,
    )
  }
  const { agent } = await catalog.agents.getAgent({ account, name: 'detailed' }, options)
  const shown = agent?.versions.map(({ buildId, specJson, readme, validationWarnings }) => ({
    buildId,
    isWhole: specJson !== undefined && readme !== undefined,
    warnings: validationWarnings.length,
  }))
  expect(shown).toEqual([
    { buildId: 'b3', isWhole: true, warnings: 400 },
    { buildId: 'b2', isWhole: false, warnings: 0 },
    { buildId: 'b1', isWhole: false, warnings: 0 },
  ])
})

test('a detail has the newest 1000 builds, and whether there are more', async () => {
  const { account, options } = await catalog.signIn('many')
  await addAgent(catalog, 'many', 'many')
  const { db } = catalog
  await sql`
    INSERT INTO build (
      agent_id, ordinal, build_id, registry, spec_yaml, spec_json, tags, warnings_json,
      content_bytes, version, version_key, is_stable, publish_time
    )
    SELECT agent_id, 1 + n, 'b' || (1 + n), registry, spec_yaml, spec_json, tags, warnings_json,
      content_bytes, (1 + n) || '.0.0', version_key || int4send(n), true, now()
    FROM build, generate_series(1, 5000) AS n
    WHERE agent_id = (SELECT agent.id FROM agent JOIN account ON account.id = account_id
      WHERE agent.name = 'many' AND account.name = ${account})`.execute(db)
  for (const viewer of [options, undefined]) {
    const { agent } = await catalog.agents.getAgent({ account, name: 'many' }, viewer)
    const seen = agent?.versions.map(({ buildId }) => buildId)
    expect([seen?.length, seen?.[0], seen?.at(-1), agent?.hasMoreVersions]).toEqual([
      1000,
      'b5001',
      'b4002',
      true,
    ])
  }
  await addAgent(catalog, 'few', 'few')
  const few = await catalog.agents.getAgent({ account: 'few', name: 'few' })
  expect(few.agent?.hasMoreVersions).toBe(false)
})
