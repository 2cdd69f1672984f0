import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readRemoteError } from '@slipway/shared/rpc'
import { waitFor } from '@slipway/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { catalogWithBuilds } from './support/build-calls.ts'
import { failureOf, outcomeOf, specOf, startTestCatalog } from './support/catalog.ts'

const { catalog, calls } = await catalogWithBuilds()

/** A user whose account stores what the attack has stored in it so far. */
async function attacker(subject: string) {
  const { account, accountId, options } = await catalog.signIn(subject)
  return {
    accountId,
    register: async (name: string, { buildId = 'b1', specContent = specOf(name) } = {}) => {
      const build = { account, name, buildId, registry: 'r.example', specContent }
      return await catalog.agents.registerBuild(build, options)
    },
    /** Stores agents or builds without a call for each. */
    store: async (statement: ReturnType<typeof sql>) => {
      await statement.execute(catalog.db)
    },
  }
}

/** The answers to a user who does what everyone does. */
async function served(name: string) {
  await calls.register(name)
  await calls.publish(name, 'b1', '1.0.0')
  return (await calls.detail(name)).builds
}

test('an account has at most 1000 agents', async () => {
  const { accountId, register, store } = await attacker('many-agents')
  await register('first')
  await store(sql`
    INSERT INTO agent (id, account_id, name)
    SELECT gen_random_uuid(), ${accountId}, 'a' || i FROM generate_series(1, 999) i`)
  const refused = readRemoteError(await register('more').catch((error: unknown) => error))
  expect(refused).toMatchObject({
    reason: 'quota_exceeded',
    metadata: { limit: 'agents', used: '1000', bound: '1000' },
    message:
      'limit agents (registered agents): the account uses 1000 of 1000, and this needs 1 more; ' +
      'delete agents, or ask the operator for a higher limit',
  })
  expect(await outcomeOf(register('first'))).toBe('ok')
  expect(await outcomeOf(register('first', { buildId: 'b2' }))).toBe('ok')
  expect(await served('next-to-agents')).toEqual(['b1'])
})

test('an account has at most 20,000 builds', async () => {
  const { register, store } = await attacker('many-builds')
  await register('first')
  await register('published')
  await store(sql`
    INSERT INTO build (agent_id, ordinal, build_id, registry, spec_yaml, spec_json, tags,
      warnings_json, content_bytes, version, version_key, is_stable, publish_time)
    SELECT id, i, 'b' || i, 'r.example', '', '', '{}', '[]', 2, i::text, i::text::bytea, true, now()
    FROM agent, generate_series(2, 19999) i WHERE name = 'published'`)
  expect(await failureOf(register('first', { buildId: 'b2' }))).toBe('quota_exceeded')
  expect(await outcomeOf(register('first'))).toBe('ok')
  expect(await outcomeOf(register('first', { specContent: specOf('first', '# new\n') }))).toBe('ok')
  expect(await served('next-to-builds')).toEqual(['b1'])
})

test('an account stores at most 2 GiB, and can always store less', async () => {
  const { accountId, register, store } = await attacker('many-bytes')
  for (const buildId of ['b1', 'b2', 'b3']) await register('big', { buildId })
  const long = specOf('big', `# ${'x'.repeat(1000)}\n`)
  await register('big', { buildId: 'b4', specContent: long })
  await store(sql`
    UPDATE build SET content_bytes = 720000000 FROM agent
    WHERE agent.id = build.agent_id AND agent.account_id = ${accountId} AND ordinal <= 3`)
  expect(await failureOf(register('big', { buildId: 'b5' }))).toBe('quota_exceeded')
  expect(await failureOf(register('big', { buildId: 'b4', specContent: `${long}#` }))).toBe(
    'quota_exceeded',
  )
  expect(await outcomeOf(register('big', { buildId: 'b4', specContent: long }))).toBe('ok')
  expect(await outcomeOf(register('big', { buildId: 'b4' }))).toBe('ok')
  expect(await outcomeOf(register('big', { specContent: specOf('big', '# less\n') }))).toBe('ok')
  expect(await outcomeOf(register('big', { buildId: 'b5' }))).toBe('ok')
  expect(await served('next-to-bytes')).toEqual(['b1'])
})

test('the newest 200 unpublished builds of an agent are kept, and all published ones', async () => {
  const { accountId, register, store } = await attacker('every-commit')
  await register('ci')
  await store(sql`
    INSERT INTO build (agent_id, ordinal, build_id, registry, spec_yaml, spec_json, tags,
      warnings_json, content_bytes)
    SELECT id, i, 'b' || i, 'r.example', '', '', '{}', '[]', 2
    FROM agent, generate_series(2, 250) i WHERE account_id = ${accountId}`)
  await store(sql`
    UPDATE agent SET build_count = 250, version_count = 1 WHERE account_id = ${accountId}`)
  await store(sql`
    UPDATE build SET version = '1.0.0', version_key = 'k', is_stable = true, publish_time = now()
    FROM agent WHERE agent.id = agent_id AND account_id = ${accountId} AND ordinal = 3`)
  await register('ci', { buildId: 'b251' })
  const { rows } = await sql<{ ordinals: number[] }>`
    SELECT array_agg(ordinal ORDER BY ordinal) AS ordinals
    FROM build JOIN agent ON agent.id = agent_id WHERE account_id = ${accountId}`.execute(
    catalog.db,
  )
  const ordinals = rows[0]?.ordinals ?? []
  expect([ordinals.length, ordinals[0], ordinals[1], ordinals.at(-1)]).toEqual([201, 3, 52, 251])
  const resolved = await catalog.agents.resolveBuild(
    { accountId, sourceAccount: '', name: 'ci' },
    await catalog.asService('deployer'),
  )
  expect(resolved.buildId).toBe('b251')
})

test('the counters match the tables after changes and deletions', async () => {
  const { rows } = await sql`
    SELECT account_id FROM account_usage
    FULL JOIN (
      SELECT account_id, count(DISTINCT agent.id) AS agents, count(build.agent_id) AS builds,
        coalesce(sum(build.content_bytes + octet_length(spec_yaml)), 0) AS bytes
      FROM agent LEFT JOIN build ON agent_id = agent.id GROUP BY account_id
    ) counted USING (account_id)
    WHERE (account_usage.agents, account_usage.builds, account_usage.content_bytes)
      IS DISTINCT FROM (counted.agents, counted.builds, counted.bytes)`.execute(catalog.db)
  expect(rows).toEqual([])
})

test("the operator's file sets the limits, also while the service runs", async () => {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'limits-'))
  stack.defer(() => rm(folder, { recursive: true }))
  const file = join(folder, 'limits.yaml')
  // An empty file, which `writeFile` leaves for a moment, would mean the built-in limits.
  const replaceFile = async (text: string) => {
    await writeFile(`${file}.new`, text)
    await rename(`${file}.new`, file)
  }
  await replaceFile('defaults: {agents: 3}')
  const small = stack.use(
    await startTestCatalog({ ACCOUNT_LIMITS_FILE: file }, { limitsIntervalMs: 20 }),
  )
  const { account, accountId, options } = await small.signIn('kim')
  const register = (name: string) =>
    small.agents.registerBuild(
      { account, name, buildId: 'b1', registry: 'r.example', specContent: specOf(name) },
      options,
    )
  const names = Array.from({ length: 10 }, (_, index) => `agent-${index}`)
  const outcomes = await Promise.all(names.map((name) => outcomeOf(register(name))))
  expect(outcomes.toSorted()).toEqual([
    ...Array.from({ length: 3 }, () => 'ok'),
    ...Array.from({ length: 7 }, () => 'quota_exceeded'),
  ])
  await replaceFile(`defaults: {agents: 3}\naccounts: {${accountId}: {agents: 4}}`)
  await waitFor(async () => (await outcomeOf(register('fourth'))) === 'ok', {
    what: 'the new limit',
  })
  expect(await failureOf(register('fifth'))).toBe('quota_exceeded')
  await replaceFile('defaults: {agents: 1}')
  await waitFor(
    async () => {
      const error = readRemoteError(await register('sixth').catch((thrown: unknown) => thrown))
      return error.metadata['bound'] === '1'
    },
    { what: 'the lowered limit' },
  )
  expect(await outcomeOf(register('fourth'))).toBe('ok')
})

test("a typo in the operator's file doesn't keep a replica from starting", async () => {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'limits-'))
  stack.defer(() => rm(folder, { recursive: true }))
  const file = join(folder, 'limits.yaml')
  await writeFile(file, 'defaults: {agent: 3, agents: 1}')
  const catalog = stack.use(await startTestCatalog({ ACCOUNT_LIMITS_FILE: file }))
  const { account, options } = await catalog.signIn('kim')
  const register = (name: string) =>
    catalog.agents.registerBuild(
      { account, name, buildId: 'b1', registry: 'r.example', specContent: specOf(name) },
      options,
    )
  expect(await outcomeOf(register('first'))).toBe('ok')
  expect(await outcomeOf(register('second'))).toBe('quota_exceeded')
})
