import { describe, expect, test } from 'vitest'

import { AnswerCache } from './answer-cache.ts'
import { PublicAnswer } from './answer.ts'

/** A cache by a clock that stands, and reads that end when they are told to. */
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
  test('is read once for all who ask at the same time, and kept', async () => {
    const { cache, reads, load } = setUp()
    const asked = [load(), load(), load()]
    expect(reads).toHaveLength(1)
    const made = answer('new')
    reads[0]?.resolve(made)
    expect(await Promise.all(asked)).toEqual([made, made, made])
    expect(cache.find('k')).toBe(made)
    expect(await load()).toBe(made)
  })

  test('is good for half a second from the start of its reading', async () => {
    const { clock, cache, reads, load } = setUp()
    const asked = load()
    clock.now = 200
    reads[0]?.resolve(answer('new'))
    await asked
    clock.now = 499
    expect(cache.find('k')).toBeDefined()
    clock.now = 500
    expect(cache.find('k')).toBeUndefined()
    expect(cache.bytes).toBe(0)
  })

  test('whose reading fails is not kept; all who waited are told', async () => {
    const { cache, reads, load } = setUp()
    const asked = [load(), load()]
    reads[0]?.reject(new Error('away'))
    expect(await Promise.allSettled(asked)).toMatchObject([
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
  test('what was kept is gone', async () => {
    const { cache, reads, load } = setUp()
    const asked = load()
    reads[0]?.resolve(answer('old'))
    await asked
    cache.drop()
    expect([cache.find('k'), cache.bytes]).toEqual([undefined, 0])
  })

  test('what was being read is neither kept nor given to anybody who asks later', async () => {
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

  test('an old reading that ends last brings nothing back', async () => {
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

test('a reading that takes long is not joined for ever', async () => {
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

test('memory is bounded: the oldest go first, and what is too large is not kept', async () => {
  const { cache, load, reads } = setUp(1000)
  for (const [index, key] of ['a', 'b', 'c'].entries()) {
    const asked = load(key)
    reads[index]?.resolve(answer('x'.repeat(398)))
    await asked
  }
  expect([cache.find('a') === undefined, cache.find('b') === undefined, cache.bytes]).toEqual([
    true,
    false,
    800,
  ])
  const large = load('large')
  reads[3]?.resolve(answer('x'.repeat(2000)))
  expect((await large).identity.body.length).toBe(2002)
  expect([cache.find('large'), cache.bytes]).toEqual([undefined, 800])
})
