import { login } from '@slipway/identity-provider/device-login'
import { NAMELESS_CLIENT } from '@slipway/identity-provider/identities'
import { afterAll, beforeAll, expect, test } from 'vitest'

import {
  startCatalogAndGateways,
  type CatalogAndGateways,
} from '../support/catalog-and-gateways.ts'
import { fromStack } from '../support/environment.ts'

// Access tokens without names or an e-mail address, of an issuer whose userinfo endpoint has them.

let headers: Record<string, string>
let asking: CatalogAndGateways
let silent: CatalogAndGateways
beforeAll(async () => {
  const issuer = fromStack('SLIPWAY_ISSUER')
  const token = await login(issuer, 'alice', { clientId: NAMELESS_CLIENT })
  headers = { authorization: `Bearer ${token}` }
  const entry = { issuer, audience: 'urn:slipway:api', realm: 'local' }
  const issuersOf = (userinfo: boolean) => () => [{ ...entry, userinfo }]
  asking = await startCatalogAndGateways([{}], [], { issuersOf: issuersOf(true) })
  silent = await startCatalogAndGateways([{}], [], { issuersOf: issuersOf(false) })
})
afterAll(async () => {
  await asking?.[Symbol.asyncDispose]()
  await silent?.[Symbol.asyncDispose]()
})

test('has the names of the userinfo endpoint if the operator allows it', async () => {
  const { status, body } = await asking.send(0, 'GET', '/me', { headers })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    user: { email: 'alice@example.test', first_name: 'Alice', last_name: 'Archer' },
    accounts: [{ name: 'alice', type: 'personal' }],
  })
})

test('works without names otherwise', async () => {
  const { status, body } = await silent.send(0, 'GET', '/me', { headers })
  expect(status).toBe(200)
  expect(body.user.email).toBeUndefined()
  expect(body.accounts).toMatchObject([{ name: expect.stringMatching(/^user-/) }])
})
