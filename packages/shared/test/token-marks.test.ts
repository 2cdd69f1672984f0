import { testIssuer, type TestIssuer } from '@slipway/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { createTokenVerifier, type UserCaller } from '../src/auth/index.ts'
import type { DomainError } from '../src/errors.ts'

let issuer: TestIssuer
const clock = Date.now()

beforeEach(async () => {
  issuer = await testIssuer()
})

afterEach(async () => {
  await issuer[Symbol.asyncDispose]()
})

test.each([{}, { email_verified: false }, { email_verified: 'false' }])(
  'an e-mail address is left out with %o',
  async (claims) => {
    const token = await issuer.userToken('alice', { claims: { email: 'a@b.test', ...claims } })
    const { profile } = (await createTokenVerifier(issuer.issuers).verify(token)) as UserCaller
    expect(profile.email).toBeUndefined()
  },
)

describe('without the header at+jwt', () => {
  const header = { typ: 'JWT' }
  const unmarked: string[] = []

  async function outcomeOf(claims: object, setting?: boolean): Promise<string> {
    const issuers = issuer.issuers.map((entry) => ({
      ...entry,
      login: { clientId: 'cli', scopes: ['openid'], audience: undefined },
      acceptsUnmarkedTokens: setting,
    }))
    unmarked.length = 0
    const reading = createTokenVerifier(
      issuers.flatMap((entry) => [entry, { ...entry, audience: 'cli' }]),
      () => clock,
      (url) => unmarked.push(url),
    )
    const token = await issuer.userToken('alice', { header, claims: { ...claims } })
    try {
      await reading.verify(token)
      return unmarked.length === 0 ? 'accepted' : 'accepted with a warning'
    } catch (error) {
      return (error as DomainError).reason
    }
  }

  test.each([
    ['Keycloak', { typ: 'Bearer', azp: 'cli', scope: 'openid' }, 'accepted'],
    ['an ID token of Keycloak', { typ: 'ID', azp: 'cli', aud: 'cli' }, 'invalid_token'],
    ['an ID token with a mark', { typ: 'ID', scope: 'openid' }, 'invalid_token'],
    ['a logout token of Keycloak', { typ: 'Logout', scope: 'openid' }, 'invalid_token'],
    ['Okta', { cid: 'cli', scp: ['openid'] }, 'accepted'],
    ['Entra ID', { scp: 'access', azp: 'cli', azpacr: '0', aud: 'cli' }, 'accepted'],
    ['an application of Entra ID', { azp: 'cli', azpacr: '1', aud: 'cli' }, 'accepted'],
    ['an ID token of Entra ID', { aud: 'cli', ver: '2.0' }, 'invalid_token'],
    ['Auth0', { azp: 'cli', scope: 'openid profile' }, 'accepted'],
    ['a program of Auth0', { azp: 'x', gty: 'client-credentials' }, 'accepted'],
    ['Zitadel', { client_id: 'x', aud: ['x', 'urn:slipway:api'] }, 'accepted'],
    ['an ID token of Zitadel', { azp: 'x', aud: ['x', 'urn:slipway:api'] }, 'invalid_token'],
    ['Amazon Cognito', { token_use: 'access' }, 'accepted'],
    ['an ID token of Amazon Cognito', { token_use: 'id' }, 'invalid_token'],
    ['a logout token', { events: {} }, 'invalid_token'],
    ['an issuer without marks', {}, 'accepted with a warning'],
  ])('a token of %s with %o is %s', async (_whose, claims, outcome) => {
    expect(await outcomeOf(claims)).toBe(outcome)
  })

  test('the setting for unmarked tokens refuses or accepts them', async () => {
    expect([await outcomeOf({}, false), await outcomeOf({}, true)]).toEqual([
      'invalid_token',
      'accepted',
    ])
    expect(await outcomeOf({ scope: 'openid' }, false)).toBe('accepted')
    expect(await outcomeOf({ aud: 'cli' }, true)).toBe('invalid_token')
  })
})
