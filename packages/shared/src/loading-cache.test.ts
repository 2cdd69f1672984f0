import { describe, expect, test } from 'vitest'

import { LoadingCache, type LoadingCacheOptions } from './loading-cache.ts'

const TTL_MS = 100

interface Grant {
  readonly account: string
}

class Refused extends Error {}
class Unreachable extends Error {}

function startCache(options: Partial<LoadingCacheOptions<Grant>> = {}) {
  const clock = { now: 0 }
  const cache = new LoadingCache<Grant>({
    maxEntries: 3,
    freshUntil: (_, startedAt) => startedAt + TTL_MS,
    groupOf: ({ account }) => account,
    now: () => clock.now,
    ...options,
  })
  /** Loads a key whose value is of the given account. */
  const fill = (key: string, account: string) => cache.load(key, async () => ({ account }))
  return { cache, clock, fill }
}

const fail = (error: Error) => () => Promise.reject<Grant>(error)

describe('load', () => {
  test('shares one running load among all callers of a key', async () => {
    const { cache } = startCache()
    const answer = Promise.withResolvers<Grant>()
    let loads = 0
    const load = (key: string) =>
      cache.load(key, () => {
        loads += 1
        return answer.promise
      })
    const waiting = [load('a'), load('a'), load('a'), load('b')]
    expect(loads).toBe(2)
    answer.resolve({ account: 'one' })
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([{ account: 'one' }]))
    expect(cache.get('a')).toEqual({ account: 'one' })
  })

  test('rejects for all callers that share it, and does not cache the error', async () => {
    const { cache, fill } = startCache()
    const loads = [cache.load('a', fail(new Refused())), cache.load('a', fail(new Unreachable()))]
    expect(await Promise.allSettled(loads)).toEqual([
      { status: 'rejected', reason: expect.any(Refused) },
      { status: 'rejected', reason: expect.any(Refused) },
    ])
    expect(cache.get('a')).toBeUndefined()
    expect(await fill('a', 'one')).toEqual({ account: 'one' })
  })

  test('removes an expired value when it fails', async () => {
    const { cache, clock, fill } = startCache()
    await fill('a', 'one')
    clock.now = TTL_MS
    await expect(cache.load('a', fail(new Refused()))).rejects.toThrow(Refused)
    const sawExpired: boolean[] = []
    await cache.load('a', async (hasExpired) => {
      sawExpired.push(hasExpired)
      return { account: 'one' }
    })
    expect(sawExpired).toEqual([false])
  })
})

describe('get', () => {
  test('returns a value until its time is over, counted from the start of the load', async () => {
    const { cache, clock } = startCache()
    await cache.load('a', async () => {
      clock.now = 30
      return { account: 'one' }
    })
    clock.now = TTL_MS - 1
    expect(cache.get('a')).toEqual({ account: 'one' })
    clock.now = TTL_MS
    expect(cache.get('a')).toBeUndefined()
  })

  test('evicts cold keys only', async () => {
    const { cache, fill } = startCache()
    for (const key of ['a', 'b', 'c']) await fill(key, key)
    cache.get('a')
    for (const key of ['d', 'e']) {
      await fill(key, key)
      expect(cache.get('a')).toEqual({ account: 'a' })
    }
    expect(['b', 'c', 'd', 'e'].map((key) => cache.get(key) !== undefined)).toEqual([
      false,
      false,
      true,
      true,
    ])
  })
})

describe('a cache with limited memory', () => {
  const memory = { maxBytes: 100, bytesOf: ({ account }: Grant) => account.length }
  const large = 'x'.repeat(60)

  test('evicts cold values when large ones are stored', async () => {
    const { cache, fill } = startCache({ memory })
    await fill('a', 'one')
    await fill('b', large)
    cache.get('a')
    await fill('c', large)
    expect(['a', 'b', 'c'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true])
  })

  test('returns a value that is larger, without storing it, and drops the one before', async () => {
    const { cache, clock, fill } = startCache({ memory })
    await fill('a', 'one')
    clock.now = TTL_MS
    const larger = large + large
    expect(await fill('a', larger)).toEqual({ account: larger })
    expect(cache.get('a')).toBeUndefined()
    await fill('a', 'one')
    cache.invalidate(larger)
    expect(cache.get('a')).toEqual({ account: 'one' })
  })
})

describe('invalidate', () => {
  test('removes the values of one group only', async () => {
    const { cache, fill } = startCache()
    await fill('a1', 'a')
    await fill('a2', 'a')
    await fill('b1', 'b')
    cache.invalidate('a')
    expect(['a1', 'a2', 'b1'].map((key) => cache.get(key)?.account)).toEqual([
      undefined,
      undefined,
      'b',
    ])
    cache.invalidate()
    expect(cache.get('b1')).toBeUndefined()
  })

  test('follows a key whose value changes its group', async () => {
    const { cache, clock, fill } = startCache()
    await fill('name', 'old')
    clock.now = TTL_MS
    await fill('name', 'new')
    cache.invalidate('old')
    expect(cache.get('name')).toEqual({ account: 'new' })
    cache.invalidate('new')
    expect(cache.get('name')).toBeUndefined()
  })

  test.each([
    ['of its group', 'one', false],
    ['of all', undefined, false],
    ['of another group', 'two', true],
  ])('%s decides whether a running load stores its value', async (_, group, isStored) => {
    const { cache } = startCache()
    const answer = Promise.withResolvers<Grant>()
    const running = cache.load('a', () => answer.promise)
    cache.invalidate(group)
    answer.resolve({ account: 'one' })
    expect(await running).toEqual({ account: 'one' })
    expect(cache.get('a') !== undefined).toBe(isStored)
  })

  test('makes later callers load again instead of joining a running load', async () => {
    const { cache, fill } = startCache()
    const answer = Promise.withResolvers<Grant>()
    const running = cache.load('a', () => answer.promise)
    cache.invalidate('one')
    expect(await fill('a', 'new')).toEqual({ account: 'new' })
    answer.reject(new Refused())
    await expect(running).rejects.toThrow(Refused)
    expect(cache.get('a')).toEqual({ account: 'new' })
  })
})

describe('expire', () => {
  const servesStaleOn = (error: unknown) => error instanceof Unreachable

  test('makes the next caller load, with the expired value as a fallback', async () => {
    const { cache, fill } = startCache({ servesStaleOn })
    await fill('a', 'one')
    await fill('b', 'two')
    cache.expire('one')
    expect([cache.get('a'), cache.get('b')]).toEqual([undefined, { account: 'two' }])
    expect(await cache.load('a', fail(new Unreachable()))).toEqual({ account: 'one' })
    expect(cache.get('a')).toBeUndefined()
    cache.expire()
    expect(cache.get('b')).toBeUndefined()
    expect(await cache.load('b', fail(new Unreachable()))).toEqual({ account: 'two' })
  })

  test('serves no expired value for other errors, nor once it was invalidated', async () => {
    const { cache, fill } = startCache({ servesStaleOn })
    await fill('a', 'one')
    await fill('b', 'two')
    cache.expire()
    await expect(cache.load('a', fail(new Refused()))).rejects.toThrow(Refused)
    await expect(cache.load('a', fail(new Unreachable()))).rejects.toThrow(Unreachable)
    cache.invalidate('two')
    await expect(cache.load('b', fail(new Unreachable()))).rejects.toThrow(Unreachable)
  })

  test('serves no value after its last moment, whether it is fresh or expired', async () => {
    const { cache, clock, fill } = startCache({
      servesStaleOn,
      usableUntil: ({ account }, startedAt) => startedAt + (account === 'short' ? 50 : Infinity),
    })
    await fill('a', 'short')
    await fill('b', 'long')
    expect(cache.get('a')).toEqual({ account: 'short' })
    cache.expire('short')
    cache.expire('long', 60)
    clock.now = 49
    expect(await cache.load('a', fail(new Unreachable()))).toEqual({ account: 'short' })
    clock.now = 50
    await expect(cache.load('a', fail(new Unreachable()))).rejects.toThrow(Unreachable)
    await fill('a', 'short')
    clock.now = 59
    expect(await cache.load('b', fail(new Unreachable()))).toEqual({ account: 'long' })
    clock.now = 60
    await expect(cache.load('b', fail(new Unreachable()))).rejects.toThrow(Unreachable)
    clock.now = 100
    expect(cache.get('a')).toBeUndefined()
  })
})
