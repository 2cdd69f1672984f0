import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startLoneGateway, type LoneGateway } from './support/lone-gateway.ts'

// The same route can be requested by many targets. All of them have the same limits and checks.

const BURST = 60

let gateway: LoneGateway
let token: string

beforeAll(async () => {
  gateway = await startLoneGateway({
    RATE_LIMIT_ADDRESS_BURST: String(BURST),
    RATE_LIMIT_ADDRESS_PER_SECOND: '1',
  })
  token = await gateway.issuer.userToken('alice')
})

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
})

describe.each([
  ['plain', (path: string) => path],
  ['partly encoded', (path: string) => path.replace('/api/', '/%61pi/')],
  ['encoded', (path: string) => path.replace('/api/', '/%61%70%69/')],
  ['absolute', (path: string) => `http://elsewhere.example${path}`],
])('a %s target', (_how, spell) => {
  test('counts against the rate limit', async () => {
    // The catalog is unreachable, so requests within the limit get a 503.
    const { status, headers } = await gateway.sendRaw('GET', spell('/api/v1/agents?limit=1'))
    expect([status, headers.get('ratelimit-limit')]).toEqual([503, String(BURST)])
  })

  test('needs a token before its body is read', async () => {
    const { status, body } = await gateway.sendRaw('POST', spell('/api/v1/agents/x/y/register'), {
      body: '{}',
    })
    expect([status, body.code]).toEqual([401, 'token_required'])
  })

  test('accepts a valid token', async () => {
    expect((await gateway.sendRaw('GET', spell('/api/v1/me'), { token })).status).toBe(503)
  })
})

test('returns 400 for a query that is not UTF-8', async () => {
  const { status, body } = await gateway.sendRaw('GET', '/api/v1/agents?q=%e4%ff')
  expect([status, body.detail]).toEqual([400, 'the query is not valid percent-encoded UTF-8'])
  for (const query of ['q=%c3%a4', 'q=100%', 'q=%zz'])
    expect((await gateway.sendRaw('GET', `/api/v1/agents?${query}`)).status).toBe(503)
})

test.each(['/docs/', '/%64ocs/', 'http://elsewhere.example/docs/'])(
  'serves %s as a page that may run its scripts',
  async (target) => {
    const { status, headers } = await gateway.sendRaw('GET', target)
    expect([status, headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("default-src 'self'"),
    ])
  },
)

test('counts requests for unknown paths inside and outside the API', async () => {
  for (const target of ['/nothing', '/%61pi', '/docsx']) {
    const { status, headers } = await gateway.sendRaw('GET', target)
    expect([target, status, headers.get('ratelimit-limit')]).toEqual([target, 404, String(BURST)])
  }
})

test('does not limit health checks, even with an encoded path', async () => {
  for (const target of ['/livez', '/%6civez']) {
    const { status, headers } = await gateway.sendRaw('GET', target)
    expect([status, headers.get('ratelimit-limit')]).toEqual([200, null])
  }
})

describe('a malformed target', () => {
  const targets = [
    '/api/v1/agents/%zz',
    '/api/v1/agents/%ff?limit=1',
    '/%',
    'http://elsewhere.example/%c3%28',
  ]

  test.each(targets)('gets an ordinary problem: %s', async (target) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const { status, headers, body } = await gateway.sendRaw(method, target, {
        headers: { 'x-request-id': 'mine' },
      })
      expect([status, headers.get('content-type'), headers.get('x-request-id')]).toEqual([
        400,
        'application/problem+json',
        'mine',
      ])
      expect(body).toMatchObject({ status: 400, code: 'invalid_argument', request_id: 'mine' })
      expect(body.instance).toBe(target.split('?', 1)[0])
      expect([headers.get('x-content-type-options'), headers.get('ratelimit-limit')]).toEqual([
        'nosniff',
        String(BURST),
      ])
    }
  })

  test('counts against the limit of its address', async () => {
    await using limited = await startLoneGateway({
      RATE_LIMIT_ADDRESS_BURST: '3',
      RATE_LIMIT_ADDRESS_PER_SECOND: '1',
    })
    const send = async () => (await limited.sendRaw('GET', '/api/v1/%zz')).status
    const statuses = [await send(), await send(), await send()]
    expect(statuses).toEqual([400, 400, 400])
    // Buckets gain one token a second, even on a slow machine.
    while (!statuses.includes(429))
      statuses.push(...(await Promise.all(Array.from({ length: 8 }, send))))
    expect(new Set(statuses)).toEqual(new Set([400, 429]))
  })
})
