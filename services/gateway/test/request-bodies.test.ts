import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { loneGateway, type LoneGateway } from './support/lone-gateway.ts'

let gateway: LoneGateway
let token: string

beforeAll(async () => {
  gateway = await loneGateway({ BODY_LIMIT_BYTES: '4096' })
  token = await gateway.issuer.userToken('alice')
})

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
})

async function send(
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  return await gateway.send(method, path, {
    token,
    headers,
    ...(body === undefined ? {} : { body }),
  })
}

const register = '/api/v1/agents/alice/bot/register'
const build = { build_id: 'b', registry: 'r', spec_content: 's' }

describe('bodies', () => {
  test.each([
    ['no body', undefined, 400],
    ['broken JSON', '{"build_id":', 400],
    ['JSON that is no object', '[]', 400],
    ['a missing member', '{"build_id":"b","registry":"r"}', 400],
    ['an empty member', '{"build_id":"","registry":"r","spec_content":"s"}', 400],
    ['a number where a text belongs', '{"build_id":5,"registry":"r","spec_content":"s"}', 400],
    ['null where a text belongs', '{"build_id":null,"registry":"r","spec_content":"s"}', 400],
    ['__proto__', '{"__proto__":{"x":1},"build_id":"b","registry":"r","spec_content":"s"}', 400],
    ['a NUL character', '{"build_id":"b","registry":"r","spec_content":"s\\u0000"}', 400],
    [
      'a NUL character in a key',
      '{"build_id":"b","registry":"r","spec_content":"s","\\u0000":1}',
      400,
    ],
    ['too much', JSON.stringify({ ...build, readme: 'x'.repeat(5000) }), 413],
    ['deep nesting', `{"x":${'['.repeat(1500)}${']'.repeat(1500)}}`, 400],
  ])('%s is refused', async (_what, body, status) => {
    const answer = await send('POST', register, body)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      status,
      'application/problem+json',
    ])
    expect(answer.body).toMatchObject({
      status,
      code: expect.stringMatching(/^[a-z_]+$/),
      instance: register,
    })
  })

  test('bytes that are no UTF-8 are refused', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"build_id":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ])
    expect((await send('POST', register, new Uint8Array(bytes))).status).toBe(400)
  })

  test('what is no JSON is refused as such', async () => {
    expect(
      (
        await send('POST', register, 'build_id=b', {
          'content-type': 'application/x-www-form-urlencoded',
        })
      ).status,
    ).toBe(415)
    expect((await send('POST', register, '<b/>', { 'content-type': 'text/xml' })).status).toBe(415)
  })

  test('every problem of a body is named at once, sorted, and nothing is coerced', async () => {
    const { body } = await send('POST', register, '{"build_id":5,"registry":true}')
    expect(body.validation_errors).toEqual([
      'build_id: must be string',
      'registry: must be string',
      'spec_content: is required',
    ])
  })

  test.each<[string, string | undefined]>([
    ['no JSON', '{"account":'],
    ['no body', undefined],
    ['the wrong shape', '{}'],
    ['a wrong type', '{"account":"a","name":5}'],
    ['a NUL', '{"account":"a","name":"\\u0000"}'],
  ])('a deploy to validate that has %s is not valid', async (_what, body) => {
    const { status, headers, body: answer } = await send('POST', '/api/v1/deploy/validate', body)
    expect([status, headers.get('content-type'), answer.code, answer.valid]).toEqual([
      400,
      'application/problem+json',
      'invalid_argument',
      false,
    ])
  })

  test('a deploy to validate that nobody may ask for is told as any other', async () => {
    const { status, headers, body } = await gateway.send('POST', '/api/v1/deploy/validate', {
      body: '{}',
    })
    expect([status, body.code, body.valid]).toEqual([401, 'token_required', undefined])
    expect(headers.get('www-authenticate')).toContain('Bearer')
  })

  test('what is wrong is said in words for people', async () => {
    const empty = await send('POST', register, '{"build_id":"","registry":"r","spec_content":"s"}')
    expect(empty.body.validation_errors).toEqual(['build_id: must not be empty'])
    const boss = await send('PUT', '/api/v1/accounts/alice/members/u', '{"role":"boss"}')
    expect(boss.body.validation_errors).toEqual(['role: must be one of owner, admin, member'])
    const rollback = '/api/v1/agents/alice/bot/deployment/rollback'
    const revision = await send('POST', rollback, '{"revision":"x"}')
    expect(revision.body.validation_errors).toEqual(['revision: must be integer'])
  })

  test('members that nobody knows are ignored', async () => {
    const answer = await send(
      'POST',
      register,
      JSON.stringify({ ...build, visibility: 'public', readme_assets: {} }),
    )
    expect(answer.status).toBe(503)
  })

  test('an empty body counts as none where none is needed', async () => {
    expect(
      (await send('POST', '/api/v1/deployments/ns/pods/p/restart?account=alice', '')).status,
    ).toBe(503)
  })
})

describe('parameters', () => {
  test.each([
    ['/api/v1/deployments/ns/logs?account=alice', 'pod: is required'],
    ['/api/v1/deployments/ns/logs?pod=p', 'account: is required'],
    ['/api/v1/deployments/ns/logs?account=&pod=p', 'account: must not be empty'],
    ['/api/v1/deployments/ns/logs?account=a&pod=p&tailLines=0', 'tailLines: must be >= 1'],
    ['/api/v1/deployments/ns/logs?account=a&pod=p&tailLines=5001', 'tailLines: must be <= 5000'],
    ['/api/v1/deployments/ns/logs?account=a&pod=p&tailLines=1.5', 'tailLines: must be integer'],
    ['/api/v1/deployments/ns/logs?account=a&pod=p&tailLines=x', 'tailLines: must be integer'],
    [
      '/api/v1/deployments/ns/logs?account=a&pod=p&tailLines=1&tailLines=2',
      'tailLines: must be integer',
    ],
    ['/api/v1/agents/a/b/observability/traces?limit=501', 'limit: must be <= 500'],
    ['/api/v1/agents/a/b/observability/traces?offset=-1', 'offset: must be >= 0'],
    [
      '/api/v1/agents/a/b/observability/traces?start_time=yesterday',
      'start_time: must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z',
    ],
    [
      '/api/v1/agents/a/b/observability/traces?start_time=2026-12-31T23:59:60Z',
      'start_time: must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z',
    ],
    ['/api/v1/agents?q=' + 'x'.repeat(201), 'q: must have at most 200 characters'],
    ['/api/v1/agents/a/b/observability/traces?status=broken', 'status: must be one of ok, error'],
    ['/api/v1/deployments/ns/logs?account=a&pod=p&follow=1', 'follow: must be boolean'],
  ])('%s: %s', async (path, problem) => {
    const { status, body } = await send('GET', path)
    expect([status, body.validation_errors]).toEqual([400, [problem]])
  })

  test.each(['0x10', '0b11', '1e2', '%2010', '5%20', '1.0', '', '+5', '1_0', 'Infinity', '%D9%A1'])(
    'a limit of %j is none',
    async (text) => {
      const { status, body } = await send('GET', `/api/v1/agents?limit=${text}`)
      expect([status, body.validation_errors]).toEqual([400, ['limit: must be integer']])
    },
  )

  test.each(['5', '005'])('a limit of %j is one', async (text) => {
    // The catalog is away.
    expect((await send('GET', `/api/v1/agents?limit=${text}`)).status).toBe(503)
  })

  test('NUL and broken escapes in a path are refused, and NUL in a query by the name of its field', async () => {
    expect((await send('GET', '/api/v1/agents/alice/b%00t')).status).toBe(400)
    const { status, body } = await send('GET', '/api/v1/agents?q=a%00b')
    expect([status, body.validation_errors]).toEqual([400, ['q: must not contain NUL characters']])
    expect((await send('GET', '/api/v1/agents/alice/%zz')).status).toBe(400)
  })
})

describe('routes', () => {
  test.each(['PATCH', 'PUT', 'DELETE', 'OPTIONS', 'POST', 'QUERY', 'PROPFIND'])(
    '%s where only GET is: 405',
    async (method) => {
      const { status, headers } = await send(method, '/api/v1/me')
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    },
  )

  test('an unknown path is 404, a wrong method 405 with what is allowed', async () => {
    expect(await send('GET', '/api/v1/nothing')).toMatchObject({
      status: 404,
      body: { code: 'route_not_found' },
    })
    const wrong = await send('DELETE', '/api/v1/agents/alice/bot')
    expect([wrong.status, wrong.headers.get('allow'), wrong.body.code]).toEqual([
      405,
      'GET, HEAD',
      'method_not_allowed',
    ])
  })

  test('a service that is away is 503 with a time to come back, and tells nothing of it', async () => {
    const { status, headers, text } = await send('GET', '/api/v1/me')
    expect([status, Number(headers.get('retry-after')) >= 1]).toEqual([503, true])
    expect(text).not.toMatch(/127\.0\.0\.1|ECONNREFUSED|grpc/i)
  })

  test('credentials of another kind are told what is wanted', async () => {
    const { status, body } = await send('GET', '/api/v1/me', undefined, {
      authorization: 'Basic YTpi',
    })
    expect([status, body.code, body.detail]).toEqual([
      401,
      'invalid_token',
      'the Authorization header must be "Bearer" followed by an access token',
    ])
  })

  test('the token is checked before the shape of the request', async () => {
    expect((await send('POST', register, '{', { authorization: '' })).status).toBe(401)
  })
})

describe('request ids', () => {
  test('a safe one is kept, any other replaced, and it is in the problem', async () => {
    const kept = await send('GET', '/api/v1/nothing', undefined, { 'x-request-id': 'my-id.1' })
    expect([kept.headers.get('x-request-id'), kept.body.request_id]).toEqual(['my-id.1', 'my-id.1'])
    for (const unsafe of ['', 'a b', 'x'.repeat(129), '<script>']) {
      const replaced = await send('GET', '/api/v1/nothing', undefined, { 'x-request-id': unsafe })
      expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })
})

test('answers carry headers that keep browsers from guessing', async () => {
  const { headers } = await send('GET', '/api/v1/nothing')
  expect([headers.get('x-content-type-options'), headers.get('x-powered-by')]).toEqual([
    'nosniff',
    null,
  ])
})
