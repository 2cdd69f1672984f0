import { expect, test } from 'vitest'

import { loneGateway } from './support/lone-gateway.ts'

// The catalog is away: who gets so far is told `service_unavailable`.

test('where a token may be sent, a bad one counts as none', async () => {
  await using gateway = await loneGateway()
  const { issuer } = gateway
  const tokens = {
    forged: await issuer.userToken('eve', { foreignKey: true }),
    expired: await issuer.userToken('alice', { claims: { exp: 1 } }),
    'of a service': await issuer.serviceToken('deployer'),
    'no token at all': 'x',
  }
  for (const [what, token] of Object.entries(tokens)) {
    const { status, body } = await gateway.send('GET', '/api/v1/agents/alice/bot', { token })
    expect([what, status, body.code]).toEqual([what, 503, 'service_unavailable'])
    expect((await gateway.send('GET', '/api/v1/me', { token })).status).toBe(401)
  }
})

test('a token that can not be checked is no bad one: nobody is shown less than they may see', async () => {
  await using gateway = await loneGateway()
  const token = await gateway.issuer.userToken('alice')
  await gateway.issuer.stop()
  for (const path of ['/api/v1/agents/alice/bot', '/api/v1/agents/alice', '/api/v1/me']) {
    const { status, body, headers } = await gateway.send('GET', path, { token })
    expect([path, status, body.code]).toEqual([path, 503, 'issuer_unavailable'])
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
  }
})
