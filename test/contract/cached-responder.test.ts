import { request as httpRequest } from 'node:http'
import { once } from 'node:events'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  register,
  startCatalogAndGateways,
  type CatalogAndGateways,
} from '../support/catalog-and-gateways.ts'

// Repeated public reads are served from memory, before the framework sees them. Clients must not
// notice a difference.

const LIMITED = 1
const BEHIND_PROXY = 2
const ORIGIN = 'https://dashboard.example'

let system: CatalogAndGateways
let account: string

beforeAll(async () => {
  system = await startCatalogAndGateways([
    { CORS_ORIGINS: ORIGIN },
    { RATE_LIMIT_ADDRESS_BURST: '5', RATE_LIMIT_ADDRESS_PER_SECOND: '1' },
    {
      RATE_LIMIT_ADDRESS_BURST: '5',
      RATE_LIMIT_ADDRESS_PER_SECOND: '1',
      TRUSTED_PROXIES: '127.0.0.1',
    },
  ])
  for (const name of ['first', 'second', 'third', 'fourth']) {
    account = await register(system, 0, { as: 'alice', name, buildId: 'b1', version: '1.0.0' })
  }
})

afterAll(async () => {
  await system[Symbol.asyncDispose]()
})

interface RawAnswer {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly body: Buffer
}

/** Sends a request unchanged: decodes nothing and adds no header. */
async function ask(
  gateway: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const request = httpRequest(`${system.gateways[gateway]?.url}/api/v1${path}`, {
    headers,
    agent: false,
  })
  request.end()
  const [response] = await once(request, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }
}

/** The parts of a response that must not depend on where it came from. */
function comparable({ status, headers, body }: RawAnswer) {
  const {
    date: _,
    'ratelimit-remaining': __,
    'ratelimit-reset': ___,
    'x-request-id': ____,
    ...rest
  } = headers
  return { status, headers: rest, body: body.toString('base64') }
}

describe.each([
  ['the list', () => '/agents?limit=3'],
  ['a detail', () => `/agents/${account}/first`],
])('%s', (_what, path) => {
  test.each([
    ['as it is', {}],
    ['by gzip', { 'accept-encoding': 'gzip' }],
    ['by brotli', { 'accept-encoding': 'br' }],
    ['known to the client', { 'if-none-match': '*' }],
    ['with a trace', { traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` }],
  ])('responds the same from the catalog, the framework and memory: %s', async (_how, headers) => {
    // A unique query, so that the first response is not in memory yet.
    const separator = path().includes('?') ? '&' : '?'
    const url = `${path()}${separator}x=${encodeURIComponent(JSON.stringify(headers))}`
    const answers: RawAnswer[] = []
    for (let count = 0; count < 4; count += 1) answers.push(await ask(0, url, headers))
    const [first, ...others] = answers.map(comparable)
    expect(first?.status).toBe('if-none-match' in headers ? 304 : 200)
    for (const other of others) expect(other).toEqual(first)
    const left = answers.map((answer) => Number(answer.headers['ratelimit-remaining']))
    expect(left.every((count) => count > 0 && count <= 500)).toBe(true)
  })

  test('keeps a safe request id and replaces any other', async () => {
    const ids = ['mine-1', 'mine-1', 'mine-1', 'not safe!', 'not safe!']
    const answers = []
    for (const id of ids)
      answers.push((await ask(0, path(), { 'x-request-id': id })).headers['x-request-id'])
    expect(answers.slice(0, 3)).toEqual(['mine-1', 'mine-1', 'mine-1'])
    for (const id of answers.slice(3)) expect(id).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('lets pages of a listed origin read it', async () => {
    const answers = []
    for (let count = 0; count < 4; count += 1)
      answers.push(await ask(0, path(), count === 3 ? { origin: ORIGIN } : {}))
    expect(answers.map(({ headers }) => headers['vary'])).toEqual(
      Array(4).fill(expect.stringContaining('Origin')),
    )
    expect(answers[3]?.headers['access-control-allow-origin']).toBe(ORIGIN)
  })
})

test('shows members the builds that outsiders don’t see', async () => {
  await register(system, 0, { as: 'alice', name: 'first', buildId: 'unpublished' })
  for (let count = 0; count < 3; count += 1) {
    expect((await ask(0, `/agents/${account}/first`)).body.toString()).not.toContain('unpublished')
  }
  expect((await system.send(0, 'GET', `/agents/${account}/first`, { as: 'alice' })).text).toContain(
    'unpublished',
  )
})

/**
 * Sends requests until the response is in memory, then in batches until one is rejected, because
 * the limit refills by one request per second.
 */
async function askUntilRefused(
  gateway: number,
  headers: Record<string, string> = {},
): Promise<number[]> {
  const askOnce = async () => (await ask(gateway, '/agents?limit=2', headers)).status
  const statuses = [await askOnce(), await askOnce(), await askOnce()]
  while (!statuses.includes(429))
    statuses.push(...(await Promise.all(Array.from({ length: 8 }, askOnce))))
  return statuses
}

const answeredOf = (statuses: readonly number[]) =>
  statuses.filter((status) => status === 200).length

test('applies the rate limit to responses from memory', async () => {
  const statuses = await askUntilRefused(LIMITED)
  expect(answeredOf(statuses)).toBeGreaterThanOrEqual(5)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
})

test('limits each client behind a trusted proxy separately', async () => {
  for (const client of ['192.0.2.1', '192.0.2.2']) {
    const statuses = await askUntilRefused(BEHIND_PROXY, { 'x-forwarded-for': client })
    expect(answeredOf(statuses)).toBeGreaterThanOrEqual(5)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  }
})
