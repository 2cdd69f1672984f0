import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { addAgent } from './support/add-agent.ts'
import { failureOf, startTestCatalog, type TestCatalog } from './support/catalog.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startTestCatalog({ MAX_PAGE_BYTES: String(64 * 1024) })
})
afterAll(async () => {
  await catalog[Symbol.asyncDispose]()
})

async function list(request: Parameters<TestCatalog['agents']['listAgents']>[0] = {}) {
  const { agents } = await catalog.agents.listAgents(request)
  return agents.map(({ account, name }) => `${name}/${account}`)
}

/** Reads all pages of a list. */
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
    await addAgent(catalog, 'ann', 'chat-bot', {
      extra: 'meta: {description: "Answers 100% of QUESTIONS", tags: [support, "Été"]}\n',
    })
    await addAgent(catalog, 'bob', 'chat-bot', {
      readme: 'read me',
      extra: 'meta: {tags: [support]}\n',
    })
    await addAgent(catalog, 'ann', 'Z'.toLowerCase(), {})
    await addAgent(catalog, 'ann', 'a_b')
    await addAgent(catalog, 'ann', 'a-b')
    await addAgent(catalog, 'bob', 'hidden', {
      isPublished: false,
      extra: 'meta: {description: hidden, tags: [secret]}\n',
    })
  })

  test('lists published agents by name, then account, in code point order', async () => {
    expect(await list()).toEqual(['a-b/ann', 'a_b/ann', 'chat-bot/ann', 'chat-bot/bob', 'z/ann'])
  })

  test('lists the latest version, with spec and readme on request', async () => {
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

  test('filters by account and tag', async () => {
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

  test.each([1, 2, 3, 4])('pages of %i contain every agent once', async (pageSize) => {
    const pages = await walk({ pageSize })
    expect(pages.flat()).toEqual(await list())
    expect(pages.slice(0, -1).every((page) => page.length === pageSize)).toBe(true)
    expect(await walk({ pageSize, query: 'b' }).then((found) => found.flat())).toEqual(
      await list({ query: 'b' }),
    )
  })

  test('a full last page has no next page', async () => {
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
  ])('rejects %j', async (request) => {
    expect(await failureOf(list(request))).toBe('invalid_argument')
  })

  test('a page is limited in bytes, including spec and readme', async () => {
    for (const name of ['big-1', 'big-2', 'big-3']) {
      await addAgent(catalog, 'cat', name, {
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
