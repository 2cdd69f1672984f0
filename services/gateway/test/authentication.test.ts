import { createLogger } from '@slipway/shared/logger'
import { expect, test } from 'vitest'

import { startLoneGateway } from './support/lone-gateway.ts'

// The catalog is unreachable: a request that passes authentication gets `service_unavailable`.

test('ignores an invalid token where a token is optional', async () => {
  await using gateway = await startLoneGateway()
  const { issuer } = gateway
  const tokens = {
    forged: await issuer.userToken('eve', { foreignKey: true }),
    expired: await issuer.userToken('alice', { claims: { exp: 1 } }),
    'of a service': await issuer.serviceToken('deployer'),
    'not a token': 'x',
  }
  for (const [what, token] of Object.entries(tokens)) {
    const { status, body } = await gateway.send('GET', '/api/v1/agents/alice/bot', { token })
    expect([what, status, body.code, body.detail]).toEqual([
      what,
      503,
      'service_unavailable',
      'the catalog service is unreachable or too slow; retry later',
    ])
    expect((await gateway.send('GET', '/api/v1/me', { token })).status).toBe(401)
  }
})

test('returns 503 when it cannot verify a token, even where a token is optional', async () => {
  await using gateway = await startLoneGateway()
  const token = await gateway.issuer.userToken('alice')
  await gateway.issuer.stop()
  for (const path of ['/api/v1/agents/alice/bot', '/api/v1/agents/alice', '/api/v1/me']) {
    const { status, body, headers } = await gateway.send('GET', path, { token })
    expect([path, status, body.code]).toEqual([path, 503, 'issuer_unavailable'])
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
  }
})

test('says what the Authorization header must be', async () => {
  await using gateway = await startLoneGateway()
  const headers = { authorization: 'Basic YTpi' }
  const { status, body } = await gateway.send('GET', '/api/v1/me', { headers })
  expect([status, body.code, body.detail]).toEqual([
    401,
    'invalid_token',
    'the Authorization header must be "Bearer" followed by an access token',
  ])
})

test('logs why a token is rejected, without the token, and does not tell the caller', async () => {
  const lines: string[] = []
  const logger = createLogger('gateway', 'info', { write: (line) => void lines.push(line) })
  await using gateway = await startLoneGateway({}, { logger })
  const token = await gateway.issuer.userToken('alice', { claims: { aud: 'other-client' } })
  const { status, body } = await gateway.send('GET', '/api/v1/me', { token })
  expect([status, body.detail]).toEqual([401, 'the access token is not valid'])
  const found = lines.filter((line) => line.includes('token_rejected'))
  expect(found).toHaveLength(1)
  expect(JSON.parse(found[0] ?? '')).toMatchObject({
    level: 'info',
    request_id: body.request_id,
    reason: 'no entry of AUTH_ISSUERS has aud ["other-client"]',
  })
  expect(lines.join()).not.toContain(token)
})

test('checks the token before the body', async () => {
  await using gateway = await startLoneGateway()
  const options = { body: '{', headers: { authorization: '' } }
  const { status } = await gateway.send('POST', '/api/v1/agents/alice/bot/register', options)
  expect(status).toBe(401)
})

test('the access log names the caller and the request', async () => {
  const lines: string[] = []
  const logger = createLogger('gateway', 'info', { write: (line) => void lines.push(line) })
  await using gateway = await startLoneGateway({}, { logger })
  const token = await gateway.issuer.userToken('alice')
  const traceparent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`
  const headers = { 'x-request-id': 'named', traceparent }
  await gateway.send('GET', '/api/v1/me', { token, headers })
  await gateway.send('GET', '/api/v1/me', { headers: { 'x-request-id': 'anonymous' } })
  const logged = () =>
    lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request')
  await expect.poll(() => logged().length).toBe(2)
  const [named, anonymous] = logged()
  expect(named).toMatchObject({
    request_id: 'named',
    trace_id: 'ab'.repeat(16),
    duration_ms: expect.any(Number),
    realm: expect.any(String),
    subject: expect.stringContaining('alice'),
  })
  expect(anonymous).toMatchObject({ request_id: 'anonymous', status: 401 })
  expect(anonymous).not.toHaveProperty('subject')
})
