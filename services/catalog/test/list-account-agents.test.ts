import { afterAll, beforeAll, expect, test } from 'vitest'

import { addAgent } from './support/add-agent.ts'
import { failureOf, startTestCatalog, type TestCatalog } from './support/catalog.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startTestCatalog()
})
afterAll(async () => {
  await catalog[Symbol.asyncDispose]()
})

test('lists all agents with their latest builds for members, else published ones', async () => {
  await addAgent(catalog, 'dan', 'one')
  await addAgent(catalog, 'dan', 'two', { isPublished: false })
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

test('lists agents in pages', async () => {
  const dan = await catalog.signIn('dan')
  const first = await catalog.agents.listAccountAgents({ account: 'dan', pageSize: 1 }, dan.options)
  expect(first.agents.map(({ name }) => name)).toEqual(['one'])
  const request = { account: 'dan', pageSize: 1, pageToken: first.nextPageToken }
  const second = await catalog.agents.listAccountAgents(request, dan.options)
  expect(second.agents.map(({ name }) => name)).toEqual(['two'])
  expect(second.nextPageToken).toBe('')
  expect((await catalog.agents.listAccountAgents(request)).agents).toEqual([])
})

test('rejects unknown accounts', async () => {
  expect(await failureOf(catalog.agents.listAccountAgents({ account: 'no-such' }))).toBe(
    'account_not_found',
  )
  expect(await failureOf(catalog.agents.listAccountAgents({ account: '\0' }))).toBe(
    'account_not_found',
  )
})
