import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { loneGateway, type LoneGateway } from './support/lone-gateway.ts'

// A route has many spellings: each is held to what the plain one is held to.

const BURST = 60

let gateway: LoneGateway
let token: string

beforeAll(async () => {
  gateway = await loneGateway({
    RATE_LIMIT_ADDRESS_BURST: String(BURST),
    RATE_LIMIT_ADDRESS_PER_SECOND: '1',
  })
  token = await gateway.issuer.userToken('alice')
})

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
})

describe.each([
  ['as it is', (path: string) => path],
  ['encoded', (path: string) => path.replace('/api/', '/%61pi/')],
  ['encoded whole', (path: string) => path.replace('/api/', '/%61%70%69/')],
  ['absolute', (path: string) => `http://elsewhere.example${path}`],
])('a target that is %s', (_how, spell) => {
  test('counts against the limit', async () => {
    // The catalog is away, so what passes is 503.
    const { status, headers } = await gateway.sendAsIs('GET', spell('/api/v1/agents?limit=1'))
    expect([status, headers.get('ratelimit-limit')]).toEqual([503, String(BURST)])
  })

  test('needs a token before its body is looked at', async () => {
    const { status, body } = await gateway.sendAsIs('POST', spell('/api/v1/agents/x/y/register'), {
      body: '{}',
    })
    expect([status, body.code]).toEqual([401, 'token_required'])
  })

  test('takes a good token', async () => {
    expect((await gateway.sendAsIs('GET', spell('/api/v1/me'), { token })).status).toBe(503)
  })
})

test.each(['/docs/', '/%64ocs/', 'http://elsewhere.example/docs/'])(
  '%s is a page with its scripts',
  async (target) => {
    const { status, headers } = await gateway.sendAsIs('GET', target)
    expect([status, headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("default-src 'self'"),
    ])
  },
)

test('paths that are none count too, wherever they are', async () => {
  for (const target of ['/nothing', '/%61pi', '/docsx']) {
    const { status, headers } = await gateway.sendAsIs('GET', target)
    expect([target, status, headers.get('ratelimit-limit')]).toEqual([target, 404, String(BURST)])
  }
})

test('health has no limit, however it is written', async () => {
  for (const target of ['/livez', '/%6civez']) {
    const { status, headers } = await gateway.sendAsIs('GET', target)
    expect([status, headers.get('ratelimit-limit')]).toEqual([200, null])
  }
})

describe('a target that can not be decoded', () => {
  const targets = [
    '/api/v1/agents/%zz',
    '/api/v1/agents/%ff?limit=1',
    '/%',
    'http://elsewhere.example/%c3%28',
  ]

  test.each(targets)('%s is a problem like any other', async (target) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const { status, headers, body } = await gateway.sendAsIs(method, target, {
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
    await using limited = await loneGateway({
      RATE_LIMIT_ADDRESS_BURST: '3',
      RATE_LIMIT_ADDRESS_PER_SECOND: '1',
    })
    const ask = async () => (await limited.sendAsIs('GET', '/api/v1/%zz')).status
    const statuses = [await ask(), await ask(), await ask()]
    expect(statuses).toEqual([400, 400, 400])
    // One token a second comes back, however slow the machine is.
    while (!statuses.includes(429))
      statuses.push(...(await Promise.all(Array.from({ length: 8 }, ask))))
    expect(new Set(statuses)).toEqual(new Set([400, 429]))
  })
})
