import { describe, expect, test } from 'vitest'

import { AnswerCache } from './answer-cache.ts'
import { PublicAnswer } from './answer.ts'

/** A cache with a manual clock, and reads that the test resolves. */
function setUp(maxBytes = 10_000) {
  const clock = { now: 0 }
  const cache = new AnswerCache({ maxBytes }, () => clock.now)
  const reads: PromiseWithResolvers<PublicAnswer>[] = []
  const load = (key = 'k') =>
    cache.load(key, () => {
      const read = Promise.withResolvers<PublicAnswer>()
      reads.push(read)
      return read.promise
    })
  return { clock, cache, reads, load }
}

const answer = (text: string) => new PublicAnswer(JSON.stringify(text))

describe('an answer', () => {
  test('is read once for simultaneous requests, and kept', async () => {
    const { cache, reads, load } = setUp()
    const pending = [load(), load(), load()]
    expect(reads).toHaveLength(1)
    const made = answer('new')
    reads[0]?.resolve(made)
    expect(await Promise.all(pending)).toEqual([made, made, made])
    expect(cache.find('k')).toBe(made)
    expect(await load()).toBe(made)
  })

  test('is served for half a second from the start of its read', async () => {
    const { clock, cache, reads, load } = setUp()
    const pending = load()
    clock.now = 200
    reads[0]?.resolve(answer('new'))
    await pending
    clock.now = 499
    expect(cache.find('k')).toBeDefined()
    clock.now = 500
    expect(cache.find('k')).toBeUndefined()
    expect(cache.bytes).toBe(0)
  })

  test('is not cached if its read fails; all waiting requests get the error', async () => {
    const { cache, reads, load } = setUp()
    const pending = [load(), load()]
    reads[0]?.reject(new Error('away'))
    expect(await Promise.allSettled(pending)).toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
    ])
    expect(cache.find('k')).toBeUndefined()
    const again = load()
    reads[1]?.resolve(answer('there'))
    expect((await again).identity.body.toString()).toBe('"there"')
  })
})

describe('after a change', () => {
  test('an answer in memory is dropped', async () => {
    const { cache, reads, load } = setUp()
    const pending = load()
    reads[0]?.resolve(answer('old'))
    await pending
    cache.drop()
    expect([cache.find('k'), cache.bytes]).toEqual([undefined, 0])
  })

  test('a running read is neither cached nor joined by later requests', async () => {
    const { cache, reads, load } = setUp()
    const before = load()
    cache.drop()
    const after = load()
    expect(reads).toHaveLength(2)
    reads[0]?.resolve(answer('old'))
    expect((await before).identity.body.toString()).toBe('"old"')
    expect(cache.find('k')).toBeUndefined()
    reads[1]?.resolve(answer('new'))
    expect((await after).identity.body.toString()).toBe('"new"')
    expect(cache.find('k')?.identity.body.toString()).toBe('"new"')
  })

  test('an old read that ends last does not replace a newer answer', async () => {
    const { cache, reads, load } = setUp()
    const before = load()
    cache.drop()
    const after = load()
    reads[1]?.resolve(answer('new'))
    await after
    reads[0]?.resolve(answer('old'))
    await before
    expect(cache.find('k')?.identity.body.toString()).toBe('"new"')
  })
})

test('does not join a read that started long ago', async () => {
  const { clock, cache, reads, load } = setUp()
  const first = load()
  clock.now = 300
  const second = load()
  expect(reads).toHaveLength(2)
  reads[1]?.resolve(answer('younger'))
  await second
  reads[0]?.resolve(answer('older'))
  await first
  expect(cache.find('k')?.identity.body.toString()).toBe('"younger"')
})

test('bounds its memory: drops the oldest answers, and keeps none that is too large', async () => {
  // A small answer is in memory twice.
  const { cache, load, reads } = setUp(2000)
  for (const [index, key] of ['a', 'b', 'c'].entries()) {
    const pending = load(key)
    reads[index]?.resolve(answer('x'.repeat(398)))
    await pending
  }
  expect([cache.find('a') === undefined, cache.find('b') === undefined, cache.bytes]).toEqual([
    true,
    false,
    1600,
  ])
  const large = load('large')
  reads[3]?.resolve(answer('x'.repeat(2000)))
  expect((await large).identity.body.length).toBe(2002)
  expect([cache.find('large'), cache.bytes]).toEqual([undefined, 1600])
})
