import { expect, test } from 'vitest'

import { ApiError, createClient, type TokenRequest } from '../src/index.ts'
import { json, problem, scriptedServer, type Step } from './support/scripted-server.ts'

const AGENT = { params: { path: { account: 'alice', name: 'bot' } } }
const TEMPLATE = '/api/v1/agents/{account}/{name}/deployment-template'

test('returns a deploy that the cluster accepted in part', async () => {
  const partial = { status: 'partial', errors: ['agent: rejected'] }
  await using server = await scriptedServer(json(partial, 207))
  const client = createClient({ url: `${server.url}/` })
  const body = { account: 'alice', name: 'bot' }
  const { data, response } = await client.POST('/api/v1/deploy', { body })
  expect([response.status, data]).toEqual([207, partial])
})

test('throws a problem with its fields', async () => {
  const errors = ['credentials.KEY: is required', 'no path']
  const step = problem(400, 'bad_fields', {}, { validation_errors: errors })
  await using server = await scriptedServer(step)
  const client = createClient({ url: server.url, retries: false })
  const error = await client
    .GET('/api/v1/agents/{account}/{name}', AGENT)
    .catch((each: unknown) => each)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({
    message: `GET ${server.url}/api/v1/agents/alice/bot: 400 bad_fields: why bad_fields`,
    status: 400,
    code: 'bad_fields',
    detail: 'why bad_fields',
    problems: [
      { field: 'credentials.KEY', message: 'is required' },
      { field: '', message: 'no path' },
    ],
    requestId: 'r-1',
    retryAfterSeconds: undefined,
    problem: { instance: '/api/v1/agents/alice/bot' },
  })
})

test('describes an error that is not from Slipway', async () => {
  const step: Step = (response) => {
    response.writeHead(418, { 'content-type': 'text/plain', 'x-request-id': 'p-1' }).end('no tea\n')
  }
  const page: Step = (response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')
  }
  await using server = await scriptedServer(step, page)
  const client = createClient({ url: server.url })
  const facts = { status: 418, code: 'http_418', detail: 'no tea', requestId: 'p-1' }
  await expect(client.GET('/api/v1/me')).rejects.toMatchObject({ ...facts, problem: undefined })
  await expect(client.GET('/api/v1/me')).rejects.toMatchObject({ reason: 'not_slipway' })
})

test('returns text for what is not JSON, and a stream on request', async () => {
  const yaml: Step = (response) => {
    response.writeHead(200, { 'content-type': 'application/yaml' }).end('a: 1\n')
  }
  await using server = await scriptedServer(yaml, yaml)
  const client = createClient({ url: server.url })
  const params = { ...AGENT.params, query: { format: 'yaml' as const } }
  expect((await client.GET(TEMPLATE, { params })).data).toBe('a: 1\n')
  const { data } = await client.GET(TEMPLATE, { params, parseAs: 'stream' })
  expect(await new Response(data).text()).toBe('a: 1\n')
})

test('sends the token, and repeats a request once with another one', async () => {
  const expired = problem(401, 'token_expired')
  await using server = await scriptedServer(expired, json({}), expired, expired, expired)
  const asked: TokenRequest[] = []
  const client = createClient({
    url: server.url,
    userAgent: 'test/1',
    token: async (request) => {
      asked.push(request)
      return `token-${asked.length}`
    },
  })
  const path = { account: 'alice' }
  await client.PUT('/api/v1/accounts/{account}', { params: { path }, body: { name: 'team' } })
  expect(asked).toEqual([{ rejected: undefined }, { rejected: 'token-1' }])
  await expect(client.GET('/api/v1/me')).rejects.toMatchObject({ code: 'token_expired' })
  const same = createClient({ url: server.url, token: () => 'same' })
  await expect(same.GET('/api/v1/me')).rejects.toMatchObject({ status: 401 })
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
    ['token-1', 'token-2', 'token-3', 'token-4', 'same'].map((token) => `Bearer ${token}`),
  )
  expect(server.requests.map(({ body }) => body).slice(0, 2)).toEqual(
    Array.from({ length: 2 }, () => '{"name":"team"}'),
  )
  expect(server.requests[0]?.headers['user-agent']).toMatch(/^test\/1 slipway-client\/\d/)
})

test('asks for the token again before it repeats a request later', async () => {
  const expired = problem(401, 'token_expired')
  const busy = problem(503, 'service_unavailable', { 'retry-after': '0' })
  await using server = await scriptedServer(expired, busy, expired, json({}))
  let count = 0
  const client = createClient({ url: server.url, token: () => `token-${(count += 1)}` })
  await client.GET('/api/v1/me')
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
    ['token-1', 'token-2', 'token-3', 'token-4'].map((token) => `Bearer ${token}`),
  )
})

test('sends no token without one, and only the error of the function that has none', async () => {
  await using server = await scriptedServer(json({ agents: [], count: 0 }))
  await createClient({ url: server.url, token: () => undefined }).GET('/api/v1/agents')
  expect(server.requests[0]?.headers).not.toHaveProperty('authorization')
  const token = async (): Promise<string> => {
    throw new Error('sign in first')
  }
  const client = createClient({ url: server.url, token })
  await expect(client.GET('/api/v1/agents')).rejects.toThrow('sign in first')
  expect(server.requests).toHaveLength(1)
})

test('reports requests and responses without their contents', async () => {
  await using server = await scriptedServer(problem(401, 'token_expired'), json({}))
  const seen: unknown[] = []
  const client = createClient({
    url: server.url,
    token: ({ rejected }) => (rejected === undefined ? 'secret-1' : 'secret-2'),
    onRequest: (each) => seen.push(each),
    onResponse: (each) => seen.push(each),
  })
  await client.GET('/api/v1/me')
  const sent = { method: 'GET', url: `${server.url}/api/v1/me` }
  const received = { ...sent, durationMs: expect.any(Number), requestId: undefined }
  expect(seen).toEqual([
    { ...sent, attempt: 1 },
    { ...received, attempt: 1, status: 401 },
    { ...sent, attempt: 2 },
    { ...received, attempt: 2, status: 200 },
  ])
  expect(JSON.stringify(seen)).not.toContain('secret')
})
