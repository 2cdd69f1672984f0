import { expect, test } from 'vitest'

import { MACHINE_TOKEN_REALM, NO_PROFILE } from '../auth/caller.ts'
import { Unauthenticated, Unavailable } from '../errors.ts'
import { MachineTokenVerifier, withMachineTokens } from './machine-token-verifier.ts'
import { newMachineToken } from './token-format.ts'

const CACHE_MS = 5_000

/** A verifier of the tokens in `valid`, which counts its lookups. */
function setUp({ cacheMs = CACHE_MS } = {}) {
  const clock = { now: 1_000_000 }
  const valid = new Map<string, string>()
  const lookUps: string[] = []
  const state = { isDown: false }
  const verifier = new MachineTokenVerifier({
    cacheMs,
    now: () => clock.now,
    async lookUp(token) {
      lookUps.push(token)
      if (state.isDown) throw new Unavailable('service_unavailable', 'the catalog is down')
      const accountId = valid.get(token)
      if (accountId === undefined)
        throw new Unauthenticated('invalid_token', 'the access token is not valid')
      return {
        kind: 'user',
        realm: MACHINE_TOKEN_REALM,
        subject: token.slice(-8),
        profile: NO_PROFILE,
        expireTime: new Date(2_000_000),
        token,
        machineToken: { id: token.slice(-8), name: 'ci', accountId, role: 'member', countsFor: '' },
      }
    },
  })
  const make = (accountId = 'one') => {
    const token = newMachineToken()
    valid.set(token, accountId)
    return token
  }
  const isValid = async (token: string) =>
    await verifier.verify(token).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Unauthenticated) return false
        throw error
      },
    )
  return { verifier, clock, valid, lookUps, state, make, isValid }
}

test('looks a token up once in a while, and a text with a wrong checksum never', async () => {
  const { clock, lookUps, make, isValid } = setUp()
  const token = make()
  expect([await isValid(token), await isValid(token), lookUps.length]).toEqual([true, true, 1])
  clock.now += CACHE_MS
  expect([await isValid(token), lookUps.length]).toEqual([true, 2])
  const wrong = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`
  expect([await isValid(wrong), await isValid('slipway_'), lookUps.length]).toEqual([
    false,
    false,
    2,
  ])
})

test('rejects a revoked token when its account changed, or the cached time is over', async () => {
  const { verifier, clock, valid, make, isValid } = setUp()
  const [token, other] = [make('one'), make('two')]
  expect([await isValid(token), await isValid(other)]).toEqual([true, true])
  valid.clear()
  verifier.drop('one')
  expect([await isValid(token), await isValid(other)]).toEqual([false, true])
  clock.now += CACHE_MS
  expect(await isValid(other)).toBe(false)
})

test('never caches a rejection', async () => {
  const { valid, isValid } = setUp()
  const token = newMachineToken()
  expect(await isValid(token)).toBe(false)
  valid.set(token, 'one')
  expect(await isValid(token)).toBe(true)
})

test('caches a token no longer than until it expires', async () => {
  const { clock, lookUps, make, isValid } = setUp({ cacheMs: 10_000_000 })
  const token = make()
  await isValid(token)
  clock.now = 1_999_999
  await isValid(token)
  expect(lookUps).toHaveLength(1)
  clock.now = 2_000_000
  await isValid(token)
  expect(lookUps).toHaveLength(2)
})

test('bounds the lookups of invented tokens, and still looks up those in use', async () => {
  const { verifier, clock, valid, lookUps, make, isValid } = setUp()
  const used = make()
  expect(await isValid(used)).toBe(true)
  lookUps.length = 0
  let refused = 0
  for (let round = 0; round < 1_000; round += 1) {
    try {
      await verifier.verify(newMachineToken())
    } catch (error) {
      if (error instanceof Unavailable) refused += 1
    }
  }
  expect([lookUps.length, refused]).toEqual([500, 500])
  verifier.drop()
  expect([await isValid(used), lookUps.length]).toEqual([true, 501])
  await expect(isValid(make())).rejects.toMatchObject({ reason: 'token_checks_busy' })
  clock.now += 1_000
  expect(await isValid(make())).toBe(true)
  // Once revoked, it counts as unknown.
  valid.delete(used)
  verifier.drop()
  expect(await isValid(used)).toBe(false)
})

test('lets few invented tokens be looked up at the same time', async () => {
  const { verifier, lookUps } = setUp()
  const checks = Array.from({ length: 300 }, async () => await verifier.verify(newMachineToken()))
  const results = await Promise.allSettled(checks)
  const reasons = results.map((each) =>
    each.status === 'rejected' ? (each.reason as Error).name : '',
  )
  expect(reasons.filter((name) => name === 'Unavailable')).toHaveLength(300 - 8 - 256)
  expect(lookUps).toHaveLength(8 + 256)
})

test('fails while the catalog is down, and does not count that as an invented token', async () => {
  const { state, make, isValid } = setUp()
  state.isDown = true
  for (let round = 0; round < 600; round += 1)
    await expect(isValid(make())).rejects.toMatchObject({ reason: 'service_unavailable' })
  state.isDown = false
  expect(await isValid(make())).toBe(true)
})

test('leaves other tokens to the other verifier', async () => {
  const { verifier, make } = setUp()
  const others = {
    verify: async () => await Promise.reject(new Error('verified by the other one')),
  }
  const both = withMachineTokens(others, verifier)
  await expect(both.verify('eyJ')).rejects.toThrow('verified by the other one')
  const token = make()
  expect(await both.verify(token)).toMatchObject({ subject: token.slice(-8) })
})
