import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { failureOf, specOf, startTestCatalog, type TestCatalog } from './support/catalog.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startTestCatalog({
    MAX_PAGE_BYTES: String(64 * 1024),
    MAX_DETAIL_BYTES: String(64 * 1024),
  })
})
afterAll(async () => {
  await catalog[Symbol.asyncDispose]()
})

async function add(
  subject: string,
  name: string,
  { extra = '', readme = '', isPublished = true } = {},
) {
  const { account, options } = await catalog.signIn(subject)
  const registry = 'r.example/x'
  await catalog.agents.registerBuild(
    { account, name, buildId: 'b1', registry, specContent: specOf(name, extra), readme },
    options,
  )
  if (isPublished)
    await catalog.agents.publishBuild({ account, name, buildId: 'b1', version: '1.0.0' }, options)
}

async function list(request: Parameters<TestCatalog['agents']['listAgents']>[0] = {}) {
  const { agents } = await catalog.agents.listAgents(request)
  return agents.map(({ account, name }) => `${name}/${account}`)
}

/** All pages of a list. */
async function walk(request: Parameters<TestCatalog['agents']['listAgents']>[0]) {
  const pages: string[][] = []
  for (let pageToken = ''; ;) {
    const { agents, nextPageToken } = await catalog.agents.listAgents({ ...request, pageToken })
    pages.push(agents.map(({ account, name }) => `${name}/${account}`))
    if (nextPageToken === '') return pages
    pageToken = nextPageToken
  }
}

describe('ListAgents', () => {
  beforeAll(async () => {
    await add('ann', 'chat-bot', {
      extra: 'meta: {description: "Answers 100% of QUESTIONS", tags: [support, "Été"]}\n',
    })
    await add('bob', 'chat-bot', { readme: 'read me', extra: 'meta: {tags: [support]}\n' })
    await add('ann', 'Z'.toLowerCase(), {})
    await add('ann', 'a_b')
    await add('ann', 'a-b')
    await add('bob', 'hidden', {
      isPublished: false,
      extra: 'meta: {description: hidden, tags: [secret]}\n',
    })
  })

  test('has what is published, by name, then account, by code point', async () => {
    expect(await list()).toEqual(['a-b/ann', 'a_b/ann', 'chat-bot/ann', 'chat-bot/bob', 'z/ann'])
  })

  test('each with its latest version, without spec and readme unless asked', async () => {
    const { agents } = await catalog.agents.listAgents({ tag: 'support' })
    expect(agents).toHaveLength(2)
    expect(agents[0]).toMatchObject({
      account: 'ann',
      name: 'chat-bot',
      registry: 'r.example/x',
      versions: [
        {
          buildId: 'b1',
          version: '1.0.0',
          description: 'Answers 100% of QUESTIONS',
          tags: ['support', 'Été'],
        },
      ],
    })
    expect(agents[0]?.versions[0]?.specJson).toBeUndefined()
    expect(agents[0]?.versions[0]?.readme).toBeUndefined()
    expect(agents[0]?.versions[0]?.registerTime).toBeUndefined()
    const full = await catalog.agents.listAgents({
      tag: 'support',
      includeSpec: true,
      includeReadme: true,
    })
    expect(JSON.parse(full.agents[0]?.versions[0]?.specJson ?? '')).toMatchObject({
      name: 'chat-bot',
    })
    expect(full.agents.map(({ versions }) => versions[0]?.readme)).toEqual(['', 'read me'])
    const { agents: specsOnly } = await catalog.agents.listAgents({ includeSpec: true })
    expect(
      specsOnly.every(({ versions }) => versions[0]?.specJson && versions[0].readme === undefined),
    ).toBe(true)
  })

  test.each([
    ['chat', ['chat-bot/ann', 'chat-bot/bob']],
    ['BOT', ['chat-bot/ann', 'chat-bot/bob']],
    ['chat  ann', ['chat-bot/ann']],
    ['questions', ['chat-bot/ann']],
    ['100%', ['chat-bot/ann']],
    ['ÉTÉ', ['chat-bot/ann']],
    ['bob', ['chat-bot/bob']],
    ['a_b', ['a-b/ann', 'a_b/ann', 'chat-bot/ann']],
    ['hat-bo', ['chat-bot/ann', 'chat-bot/bob']],
    ['é', ['chat-bot/ann']],
    ['ét an', ['chat-bot/ann']],
    ['t', []],
    ["'b':* | x", []],
    ['% \\ !!!', ['a-b/ann', 'a_b/ann', 'chat-bot/ann', 'chat-bot/bob', 'z/ann']],
    ['100_', []],
    ['hidden', []],
    ['chat nothing', []],
    ['z', ['z/ann']],
    ['\0', ['a-b/ann', 'a_b/ann', 'chat-bot/ann', 'chat-bot/bob', 'z/ann']],
  ])('q=%j finds %j', async (query, found) => {
    expect(await list({ query })).toEqual(found)
  })

  test('account and tag narrow the list', async () => {
    expect(await list({ account: 'bob' })).toEqual(['chat-bot/bob'])
    expect(await list({ account: 'bob', tag: 'support', query: 'chat' })).toEqual(['chat-bot/bob'])
    for (const request of [
      { account: 'no-such' },
      { account: 'A\0' },
      { tag: 'secret' },
      { tag: 'sup' },
      { tag: '\0' },
    ]) {
      expect(await list(request)).toEqual([])
    }
  })

  test.each([1, 2, 3, 4])('pages of %i go through all, once', async (pageSize) => {
    const pages = await walk({ pageSize })
    expect(pages.flat()).toEqual(await list())
    expect(pages.slice(0, -1).every((page) => page.length === pageSize)).toBe(true)
    expect(await walk({ pageSize, query: 'b' }).then((found) => found.flat())).toEqual(
      await list({ query: 'b' }),
    )
  })

  test('a page that was full to the last agent has no next one', async () => {
    const { nextPageToken } = await catalog.agents.listAgents({ pageSize: 5 })
    expect(nextPageToken).toBe('')
  })

  test.each([
    { pageSize: -1 },
    { pageSize: 1001 },
    { pageToken: 'x' },
    { pageToken: 'AAAA'.repeat(100) },
    { query: 'x'.repeat(201) },
    { query: 'a b c d e f g h i' },
  ])('refuses %j', async (request) => {
    expect(await failureOf(list(request))).toBe('invalid_argument')
  })

  test('a page is bounded in bytes, with and without what it includes', async () => {
    for (const name of ['big-1', 'big-2', 'big-3']) {
      await add('cat', name, {
        extra: `meta: {description: "${'x'.repeat(30_000)}"}\n`,
        readme: 'y'.repeat(60_000),
      })
    }
    expect((await walk({ account: 'cat' })).map((page) => page.length)).toEqual([3])
    expect((await walk({ account: 'cat', includeSpec: true })).map((page) => page.length)).toEqual([
      2, 1,
    ])
    expect(
      (await walk({ account: 'cat', includeSpec: true, includeReadme: true })).map(
        (page) => page.length,
      ),
    ).toEqual([1, 1, 1])
  })
})

describe('ListAccountAgents', () => {
  test('shows members every agent with its latest build, others what is published', async () => {
    await add('dan', 'one')
    await add('dan', 'two', { isPublished: false })
    const dan = await catalog.signIn('dan')
    await catalog.agents.registerBuild(
      {
        account: 'dan',
        name: 'one',
        buildId: 'b2',
        registry: 'r.example/new',
        specContent: 'a: 1',
      },
      dan.options,
    )
    const mine = await catalog.agents.listAccountAgents({ account: 'dan' }, dan.options)
    expect(mine.agents).toMatchObject([
      { name: 'one', registry: 'r.example/new', versions: [{ buildId: 'b2' }] },
      { name: 'two', versions: [{ buildId: 'b1' }] },
    ])
    expect(mine.agents[0]?.versions[0]?.version).toBeUndefined()
    expect(mine.agents[0]?.versions[0]?.registerTime).toBeDefined()
    expect(mine.agents[0]?.versions[0]?.validationWarnings.length).toBeGreaterThan(0)
    for (const options of [undefined, (await catalog.signIn('eve')).options]) {
      const { agents } = await catalog.agents.listAccountAgents({ account: 'dan' }, options)
      expect(agents).toMatchObject([
        { name: 'one', registry: 'r.example/x', versions: [{ buildId: 'b1', version: '1.0.0' }] },
      ])
    }
  })

  test('goes page by page', async () => {
    const dan = await catalog.signIn('dan')
    const first = await catalog.agents.listAccountAgents(
      { account: 'dan', pageSize: 1 },
      dan.options,
    )
    expect(first.agents.map(({ name }) => name)).toEqual(['one'])
    const request = { account: 'dan', pageSize: 1, pageToken: first.nextPageToken }
    const second = await catalog.agents.listAccountAgents(request, dan.options)
    expect(second.agents.map(({ name }) => name)).toEqual(['two'])
    expect(second.nextPageToken).toBe('')
    expect((await catalog.agents.listAccountAgents(request)).agents).toEqual([])
  })

  test('knows no other account', async () => {
    expect(await failureOf(catalog.agents.listAccountAgents({ account: 'no-such' }))).toBe(
      'account_not_found',
    )
    expect(await failureOf(catalog.agents.listAccountAgents({ account: '\0' }))).toBe(
      'account_not_found',
    )
  })
})

test('a detail is bounded in bytes: older builds come without spec, readme and warnings', async () => {
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

test('a detail names the newest 1000 builds, however many there are, and says that there are more', async () => {
  const { account, options } = await catalog.signIn('many')
  await add('many', 'many')
  const { db } = catalog
  await sql`
    INSERT INTO build (agent_id, ordinal, build_id, registry, spec_yaml, spec_json, tags, warnings_json, content_bytes,
      version, version_key, is_stable, publish_time)
    SELECT agent_id, 1 + n, 'b' || (1 + n), registry, spec_yaml, spec_json, tags, warnings_json, content_bytes,
      (1 + n) || '.0.0', version_key || int4send(n), true, now()
    FROM build, generate_series(1, 5000) AS n
    WHERE agent_id = (SELECT agent.id FROM agent JOIN account ON account.id = account_id
      WHERE agent.name = 'many' AND account.name = ${account})`.execute(db)
  for (const asker of [options, undefined]) {
    const { agent } = await catalog.agents.getAgent({ account, name: 'many' }, asker)
    const seen = agent?.versions.map(({ buildId }) => buildId)
    expect([seen?.length, seen?.[0], seen?.at(-1), agent?.hasMoreVersions]).toEqual([
      1000,
      'b5001',
      'b4002',
      true,
    ])
  }
  const few = await catalog.agents.getAgent({ account: 'bob', name: 'chat-bot' })
  expect(few.agent?.hasMoreVersions).toBe(false)
})
