import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { createTokenVerifier, type TokenVerifier } from '../src/auth/index.ts'
import { DomainError } from '../src/errors.ts'
import { testIssuer, type TestIssuer, type TestTokenOptions } from '@slipway/testing'

let issuer: TestIssuer
let clock: number
let verifier: TokenVerifier

beforeEach(async () => {
  issuer = await testIssuer()
  clock = Date.now()
  verifier = createTokenVerifier(issuer.issuers, () => clock)
})

afterEach(async () => {
  await issuer[Symbol.asyncDispose]()
})

const seconds = (offset: number) => Math.floor(clock / 1000) + offset

/** The reason why a token is rejected, or `accepted`. */
async function reasonFor(token: string): Promise<string> {
  try {
    await verifier.verify(token)
    return 'accepted'
  } catch (error) {
    return error instanceof DomainError ? error.reason : String(error)
  }
}

describe('tokens', () => {
  test('a valid user token identifies the user', async () => {
    const name = { given_name: 'Alice', family_name: 'Archer' }
    const claims = { email: 'alice@example.test', email_verified: true, ...name }
    expect(await verifier.verify(await issuer.userToken('alice', { claims }))).toMatchObject({
      kind: 'user',
      realm: 'test',
      subject: 'alice',
      profile: {
        preferredUsername: 'alice',
        email: 'alice@example.test',
        givenName: 'Alice',
        familyName: 'Archer',
      },
    })
  })

  test('claims about the user are made storable', async () => {
    const claims = { given_name: 'A\0li\ud800ce', family_name: `${'x'.repeat(254)}\u{1f600}` }
    expect(await verifier.verify(await issuer.userToken('alice', { claims }))).toMatchObject({
      profile: { givenName: 'Ali\ufffdce', familyName: `${'x'.repeat(254)}\ufffd` },
    })
  })

  test('a valid service token identifies the service', async () => {
    expect(await verifier.verify(await issuer.serviceToken('catalog'))).toMatchObject({
      kind: 'service',
      name: 'catalog',
    })
    expect(await reasonFor(await issuer.serviceToken('unknown'))).toBe('invalid_token')
  })

  test.each([
    ['of another issuer', { claims: { iss: 'https://elsewhere.example.test' } }],
    ['for another audience', { claims: { aud: 'somebody-else' } }],
    ['without an expiry', { claims: { exp: undefined } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['with an empty subject', { claims: { sub: '' } }],
    ['whose subject has a NUL', { claims: { sub: 'ali\0ce' } }],
    ['whose subject is not valid Unicode', { claims: { sub: 'alice\ud800' } }],
    ['that is an ID token', { claims: { at_hash: 'x' } }],
    ['of another type', { header: { typ: 'id+jwt' } }],
    ['signed by another key', { foreignKey: true }],
    ['signed by an unknown key', { header: { kid: 'unknown' } }],
  ] as [string, TestTokenOptions][])('a token %s is rejected', async (_what, options) => {
    expect(await reasonFor(await issuer.userToken('alice', options))).toBe('invalid_token')
  })

  test('an ID token is accepted from an issuer that is configured for them', async () => {
    const claims = { at_hash: 'x', nonce: 'y' }
    const issuers = issuer.issuers.map((entry) => ({ ...entry, acceptsIdTokens: true }))
    verifier = createTokenVerifier(issuers, () => clock)
    expect(await reasonFor(await issuer.userToken('alice', { claims }))).toBe('accepted')
    const elsewhere = await issuer.userToken('alice', {
      claims: { ...claims, aud: 'other-client' },
    })
    expect(await reasonFor(elsewhere)).toBe('invalid_token')
  })

  test.each([
    [{ azp: 'cli' }, 'accepted'],
    [{ client_id: 'cli' }, 'accepted'],
    [{ cid: 'dashboard' }, 'accepted'],
    [{ azp: 'cli', client_id: 'cli' }, 'accepted'],
    [{ azp: 'cli', client_id: 'other' }, 'invalid_token'],
    [{ azp: 'other' }, 'invalid_token'],
    [{ azp: ['cli', 'other'] }, 'invalid_token'],
    [{}, 'invalid_token'],
  ])('of an issuer with clients, a token with %o is %s', async (claims, reason) => {
    const issuers = issuer.issuers.map((entry) => ({ ...entry, clients: ['cli', 'dashboard'] }))
    verifier = createTokenVerifier(issuers, () => clock)
    expect(await reasonFor(await issuer.userToken('alice', { claims }))).toBe(reason)
  })

  test('the reason of a rejection is there for the log', async () => {
    const causeOf = async (claims: Record<string, unknown>) => {
      const token = await issuer.userToken('alice', { claims })
      const error = await verifier.verify(token).catch((thrown: unknown) => thrown as Error)
      return error instanceof DomainError ? (error.cause as Error).message : 'accepted'
    }
    expect(await causeOf({ iss: 'https://other.example' })).toBe(
      'no entry of AUTH_ISSUERS has iss "https://other.example"',
    )
    expect(await causeOf({ aud: ['other'] })).toBe('no entry of AUTH_ISSUERS has aud ["other"]')
    expect(await causeOf({ aud: 'x'.repeat(5000) })).toHaveLength(233)
    expect(await causeOf({ nonce: 'x' })).toContain('no "id_tokens": true')
    expect(await causeOf({ iat: seconds(61) })).toBe('iat is in the future')
    expect(await causeOf({ nbf: seconds(61) })).toContain('"nbf"')
  })

  test('exp, nbf and iat are checked with some leeway', async () => {
    const at = async (claims: object) =>
      await reasonFor(await issuer.userToken('alice', { claims: { ...claims } }))
    expect(await at({ exp: seconds(-5) })).toBe('accepted')
    expect(await at({ exp: seconds(-61) })).toBe('token_expired')
    expect(await at({ nbf: seconds(5) })).toBe('accepted')
    expect(await at({ nbf: seconds(61) })).toBe('invalid_token')
    expect(await at({ iat: seconds(61) })).toBe('invalid_token')
  })

  test('a cached token is rejected once it has expired', async () => {
    const token = await issuer.userToken('alice', { claims: { exp: seconds(100) } })
    expect(await reasonFor(token)).toBe('accepted')
    clock += 200_000
    expect(await reasonFor(token)).toBe('token_expired')
  })

  test.each(['', '.', 'a.b.c', 'x'.repeat(20_000), '{}'])(
    'garbage is rejected (case %#)',
    async (token) => {
      expect(await reasonFor(token)).toBe('invalid_token')
    },
  )

  test('an algorithm that is not configured is rejected', async () => {
    verifier = createTokenVerifier(
      issuer.issuers.map((entry) => ({ ...entry, algorithms: ['RS256'] })),
      () => clock,
    )
    expect(await reasonFor(await issuer.userToken('alice'))).toBe('invalid_token')
  })
})

test('a service token is not accepted as a user’s by an entry without audience', async () => {
  const [users, services] = issuer.issuers
  if (users === undefined || services === undefined)
    throw new Error('the test issuer has two entries')
  verifier = createTokenVerifier([{ ...users, audience: undefined }, services], () => clock)
  expect(await verifier.verify(await issuer.serviceToken('catalog'))).toMatchObject({
    kind: 'service',
  })
  expect(await verifier.verify(await issuer.userToken('alice'))).toMatchObject({ kind: 'user' })
})

describe('keys', () => {
  test('an unknown key causes a fetch, at most once per cool-down', async () => {
    expect(await reasonFor(await issuer.userToken('alice'))).toBe('accepted')
    await issuer.rotateKey()
    const after = await issuer.userToken('alice')
    expect(await reasonFor(after)).toBe('invalid_token')
    clock += 31_000
    expect(await reasonFor(after)).toBe('accepted')
    expect(await reasonFor(await issuer.userToken('bob', { claims: { exp: seconds(60) } }))).toBe(
      'accepted',
    )
  })

  test('a verified token is rejected once its issuer publishes other keys', async () => {
    const [before, bystander] = [await issuer.userToken('alice'), await issuer.userToken('bob')]
    expect([await reasonFor(before), await reasonFor(bystander)]).toEqual(['accepted', 'accepted'])
    await issuer.rotateKey()
    const after = await issuer.userToken('alice')
    // The cool-down is over, but verified tokens are still cached.
    clock += 31_000
    expect(await reasonFor(after)).toBe('accepted')
    expect([await reasonFor(before), await reasonFor(bystander)]).toEqual([
      'invalid_token',
      'invalid_token',
    ])
    expect(await reasonFor(after)).toBe('accepted')
  })

  test('a key is revoked even if no token has another key', async () => {
    const token = await issuer.userToken('alice')
    expect(await reasonFor(token)).toBe('accepted')
    await issuer.rotateKey()
    expect(await reasonFor(token)).toBe('accepted')
    // The keys are old, so the next verification of any token fetches them in the background.
    clock += 10 * 60_000 + 1
    await expect.poll(() => reasonFor(token)).toBe('invalid_token')
  })

  test('uses fetched keys while the issuer is down, and is Unavailable without any', async () => {
    await issuer.stop()
    expect(await reasonFor(await issuer.userToken('alice'))).toBe('issuer_unavailable')
    await issuer.start()
    clock += 2_000
    expect(await reasonFor(await issuer.userToken('alice'))).toBe('accepted')
    await issuer.stop()
    clock += 3_600_000
    expect(await reasonFor(await issuer.userToken('bob', { claims: { exp: seconds(60) } }))).toBe(
      'accepted',
    )
  })

  test('a flood of unknown keys causes one fetch', async () => {
    let fetches = 0
    const keys = createServer((_request, response) => {
      fetches += 1
      response.end('{"keys":[]}')
    }).listen(0, '127.0.0.1')
    await once(keys, 'listening')
    const jwksUri = `http://127.0.0.1:${(keys.address() as AddressInfo).port}/`
    verifier = createTokenVerifier(
      issuer.issuers.map((entry) => ({ ...entry, jwksUri })),
      () => clock,
    )
    for (let flood = 0; flood < 20; flood++) {
      const header = { kid: `unknown-${flood}`, jku: 'http://127.0.0.1:1/', jwk: { kty: 'EC' } }
      expect(await reasonFor(await issuer.userToken('alice', { header }))).toBe('invalid_token')
    }
    expect(fetches).toBe(1)
    clock += 31_000
    await Promise.all(
      Array.from({ length: 10 }, async () =>
        reasonFor(await issuer.userToken('alice', { header: { kid: 'x' } })),
      ),
    )
    expect(fetches).toBe(2)
    keys.close()
  })
})
