import { expect, test } from 'vitest'

import {
  ApiError,
  createClient,
  type ClientOptions,
  type ConnectionError,
  type PlannedRetry,
} from '../src/index.ts'
import {
  cutBody,
  cutRequest,
  json,
  problem,
  scriptedServer,
  silence,
  type Step,
} from './support/scripted-server.ts'

const EMPTY = { agents: [], count: 0 }
const NOW = { 'retry-after': '0' }

async function fixture(steps: readonly Step[], options: Partial<ClientOptions> = {}) {
  const server = await scriptedServer(...steps)
  const retries: PlannedRetry[] = []
  const client = createClient({
    url: server.url,
    onRetry: (retry) => retries.push(retry),
    ...options,
  })
  return { server, client, retries, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

test.each([
  ['429', problem(429, 'rate_limited', NOW), 429],
  ['503', problem(503, 'service_unavailable', NOW), 503],
  ['a 502 of a proxy', (response) => void response.writeHead(502).end('<html>'), 502],
  ['a connection that ends before the response', cutRequest, 'cut'],
  ['a response that ends early', cutBody, 'cut'],
] as readonly [string, Step, string | number][])('repeats a GET after %s', async (_, step, why) => {
  await using it = await fixture([step, json(EMPTY)])
  const { data, response } = await it.client.GET('/api/v1/agents')
  expect([data, response.status, it.server.requests.length]).toEqual([EMPTY, 200, 2])
  const error = it.retries[0]?.error as ApiError | ConnectionError | undefined
  expect(error instanceof ApiError ? error.status : error?.reason).toBe(why)
})

test('repeats a POST with the same idempotency key and body', async () => {
  const result = { status: 'success' }
  await using it = await fixture([cutRequest, problem(503, 'x', NOW), json(result)])
  const body = { account: 'alice', name: 'bot' }
  const { data } = await it.client.POST('/api/v1/deploy', { body })
  expect(data).toEqual(result)
  const { requests } = it.server
  expect(requests.map((each) => JSON.parse(each.body))).toEqual([body, body, body])
  const keys = requests.map(({ headers }) => headers['idempotency-key'])
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/)
  expect(new Set(keys).size).toBe(1)
})

test('makes a key for each call, unless the caller has one', async () => {
  await using it = await fixture([json({}), json({}), json({})])
  const body = { name: 'team' }
  await it.client.POST('/api/v1/accounts', { body })
  await it.client.POST('/api/v1/accounts', { body })
  const params = { header: { 'idempotency-key': 'release-7' } }
  await it.client.POST('/api/v1/accounts', { body, params })
  const keys = it.server.requests.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(3)
  expect(keys[2]).toBe('release-7')
})

test('waits until its own request, whose response was lost, has ended', async () => {
  const inUse = problem(409, 'idempotency_key_in_use', NOW)
  await using it = await fixture([cutRequest, inUse, inUse, inUse, inUse, inUse, json({})])
  await it.client.POST('/api/v1/accounts', { body: { name: 'team' } })
  expect(it.server.requests).toHaveLength(7)
})

test('sends what has no key only once', async () => {
  const busy = problem(503, 'service_unavailable', NOW)
  const path = { account: 'alice', user_id: 'u1' }
  const route = '/api/v1/accounts/{account}/members/{user_id}'
  await using it = await fixture([busy, cutRequest, busy])
  const failed = { status: 503, retryAfterSeconds: 0 }
  const put = it.client.PUT(route, { params: { path }, body: { role: 'admin' } })
  await expect(put).rejects.toMatchObject(failed)
  await expect(it.client.DELETE(route, { params: { path } })).rejects.toMatchObject({
    reason: 'cut',
  })
  const body = { account: 'alice', name: 'bot' }
  const validate = it.client.POST('/api/v1/deploy/validate', { body })
  await expect(validate).rejects.toMatchObject(failed)
  expect(it.server.requests).toHaveLength(3)
  expect(it.server.requests[2]?.headers).not.toHaveProperty('idempotency-key')
  expect(it.retries).toEqual([])
})

test('throws after the last attempt, and at once when the wait would be long', async () => {
  const step = problem(503, 'service_unavailable', NOW)
  await using few = await fixture([step, step, step], { retries: { attempts: 2 } })
  await expect(few.client.GET('/api/v1/agents')).rejects.toMatchObject({ status: 503 })
  expect(few.server.requests).toHaveLength(2)
  await using long = await fixture([problem(429, 'rate_limited', { 'retry-after': '31' })])
  const failed = { code: 'rate_limited', retryAfterSeconds: 31 }
  await expect(long.client.GET('/api/v1/agents')).rejects.toMatchObject(failed)
  expect(long.server.requests).toHaveLength(1)
})

test('ends a wait and a request with the reason of the signal', async () => {
  await using it = await fixture([problem(503, 'x', { 'retry-after': '20' }), silence])
  const first = new AbortController()
  const waiting = it.client.GET('/api/v1/agents', { signal: first.signal })
  await expect.poll(() => it.retries.length).toBe(1)
  first.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  const second = new AbortController()
  const running = it.client.GET('/api/v1/agents', { signal: second.signal })
  await expect.poll(() => it.server.requests.length).toBe(2)
  second.abort(new Error('enough again'))
  await expect(running).rejects.toThrow('enough again')
})

test('gives up a request without a response', async () => {
  await using it = await fixture([silence], { timeoutMs: 20, retries: false })
  await expect(it.client.GET('/api/v1/agents')).rejects.toMatchObject({
    name: 'ConnectionError',
    reason: 'timeout',
    message: `${it.server.url}: no response in time`,
  })
})
