import { afterAll, beforeAll, expect, test } from 'vitest'

import { startLoneGateway, type LoneGateway } from './support/lone-gateway.ts'

let gateway: LoneGateway
let token: string

beforeAll(async () => {
  gateway = await startLoneGateway()
  token = await gateway.issuer.userToken('alice')
})

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
})

const send = async (method: string, path: string, headers: Record<string, string> = {}) =>
  await gateway.send(method, path, { token, headers })

test.each(['PATCH', 'PUT', 'DELETE', 'OPTIONS', 'POST', 'QUERY', 'PROPFIND'])(
  'returns 405 for %s on a path that only has GET',
  async (method) => {
    const { status, headers } = await send(method, '/api/v1/me')
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  },
)

test('returns 405 with the allowed methods', async () => {
  const wrong = await send('PUT', '/api/v1/agents/alice/bot')
  expect([wrong.status, wrong.headers.get('allow'), wrong.body.code, wrong.body.detail]).toEqual([
    405,
    'DELETE, GET, HEAD',
    'method_not_allowed',
    'this path does not support PUT; it supports DELETE, GET, HEAD',
  ])
})

test('returns 404 for an unknown path', async () => {
  expect(await send('GET', '/api/v1/nothing')).toMatchObject({
    status: 404,
    body: { code: 'route_not_found' },
  })
})

test('returns 503 with Retry-After, and no details, when a service is unreachable', async () => {
  const { status, headers, text } = await send('GET', '/api/v1/me')
  expect([status, Number(headers.get('retry-after')) >= 1]).toEqual([503, true])
  expect(text).not.toMatch(/127\.0\.0\.1|ECONNREFUSED|grpc/i)
})

test('echoes a safe request id, including in the problem, and replaces any other', async () => {
  const kept = await send('GET', '/api/v1/nothing', { 'x-request-id': 'my-id.1' })
  expect([kept.headers.get('x-request-id'), kept.body.request_id]).toEqual(['my-id.1', 'my-id.1'])
  for (const unsafe of ['', 'a b', 'x'.repeat(129), '<script>']) {
    const replaced = await send('GET', '/api/v1/nothing', { 'x-request-id': unsafe })
    expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('sends the security headers, and does not name its framework', async () => {
  const { headers } = await send('GET', '/api/v1/nothing')
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/),
    'x-content-type-options': 'nosniff',
  })
  for (const name of ['server', 'x-powered-by']) expect(headers.get(name)).toBeNull()
})
