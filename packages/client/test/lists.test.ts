import { expect, test } from 'vitest'

import { createClient } from '../src/index.ts'
import { json, problem, scriptedServer } from './support/scripted-server.ts'

const agents = (...names: readonly string[]) => names.map((name) => ({ name }))
const AGENT = { account: 'alice', name: 'bot' }
const TRACES = '/api/v1/agents/{account}/{name}/observability/traces'
const RANGE = { start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-02T00:00:00Z' }

test('follows cursors, and asks for a page only when it is needed', async () => {
  await using server = await scriptedServer(
    json({ agents: agents('a', 'b'), count: 2, next_cursor: 'c1' }),
    json({ agents: agents('c'), count: 1, next_cursor: 'c2' }),
    json({ agents: [], count: 0 }),
  )
  const client = createClient({ url: server.url })
  const names: string[] = []
  const counts: number[] = []
  for await (const { name } of client.items('/api/v1/agents', {
    params: { query: { limit: 2, q: 'x' } },
  })) {
    names.push(name)
    counts.push(server.requests.length)
  }
  expect([names, counts]).toEqual([
    ['a', 'b', 'c'],
    [1, 1, 2],
  ])
  expect(server.requests.map(({ path }) => path.split('?')[1])).toEqual([
    'limit=2&q=x',
    'limit=2&q=x&cursor=c1',
    'limit=2&q=x&cursor=c2',
  ])
})

test('follows offsets until the total is reached', async () => {
  const page = (offset: number, ...ids: readonly string[]) => ({
    traces: ids.map((trace_id) => ({ trace_id })),
    total: 3,
    limit: 2,
    offset,
  })
  await using server = await scriptedServer(json(page(0, 'a', 'b')), json(page(2, 'c')))
  const client = createClient({ url: server.url })
  const params = { path: AGENT, query: { ...RANGE, limit: 2 } }
  const ids = await Array.fromAsync(client.items(TRACES, { params }), (each) => each.trace_id)
  expect(ids).toEqual(['a', 'b', 'c'])
  expect(server.requests.map(({ path }) => /offset=\d+/.exec(path)?.[0])).toEqual([
    undefined,
    'offset=2',
  ])
})

test('stops when the caller stops, and throws an error of a later page', async () => {
  const first = json({ agents: agents('a'), count: 1, next_cursor: 'c1' })
  await using server = await scriptedServer(first, first, problem(400, 'invalid_argument'))
  const client = createClient({ url: server.url })
  for await (const page of client.pages('/api/v1/agents', {})) {
    expect(page.agents).toEqual([{ name: 'a' }])
    break
  }
  expect(server.requests).toHaveLength(1)
  const list = client.items('/api/v1/agents', {})
  expect(await list.next()).toEqual({ value: { name: 'a' }, done: false })
  await expect(list.next()).rejects.toMatchObject({ code: 'invalid_argument' })
})

test('does not follow a cursor in a circle', async () => {
  const page = json({ agents: agents('a'), count: 1, next_cursor: 'c1' })
  await using server = await scriptedServer(page, page)
  const client = createClient({ url: server.url })
  await expect(Array.fromAsync(client.items('/api/v1/agents', {}))).rejects.toThrow(
    'the list returned the same page twice',
  )
})
