import { setImmediate } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { IngestTurns } from './ingest-turns.ts'

test('users take turns, and everything else continues between two of them', async () => {
  const turns = new IngestTurns()
  const order: string[] = []
  const decode = async (user: string, times: number) => {
    using own = turns.open({ user, account: user })
    for (let time = 0; time < times; time += 1) {
      await own.next()
      order.push(user)
    }
  }
  const requests = Array.from({ length: 20 }, () => decode('mallory', 5))
  requests.push(decode('alice', 3))
  let isDecoding = true
  const others = (async () => {
    while (isDecoding) {
      await setImmediate()
      order.push('other')
    }
  })()
  await Promise.all(requests)
  isDecoding = false
  await others
  const pairs = order.slice(1).map((entry, index) => [order[index], entry])
  expect(pairs.filter((pair) => !pair.includes('other'))).toEqual([])
  const users = order.filter((entry) => entry !== 'other')
  expect(users.slice(0, 6)).toEqual(['mallory', 'alice', 'mallory', 'alice', 'mallory', 'alice'])
  expect(users).toHaveLength(103)
})

test('a request keeps its turn over a few pauses, in which everything else continues', async () => {
  const turns = new IngestTurns()
  const order: string[] = []
  const decode = async (user: string, pauses: number) => {
    using own = turns.open({ user })
    await own.next()
    order.push(user)
    for (let pause = 0; pause < pauses; pause += 1) {
      await own.pause()
      order.push(user)
    }
  }
  const decoding = Promise.all([decode('mallory', 5), decode('alice', 1)])
  const others = Array.from({ length: 3 }, async () => {
    await setImmediate()
    order.push('other')
  })
  await Promise.all([decoding, ...others])
  const users = order.filter((entry) => entry !== 'other').join(' ')
  expect(users).toBe('mallory mallory mallory alice alice mallory mallory mallory')
  expect(order.lastIndexOf('other')).toBeLessThan(order.indexOf('alice'))
})

test('a request that fails or stores records leaves its turn to others', async () => {
  const turns = new IngestTurns()
  const fail = async () => {
    using own = turns.open({ user: 'a' })
    await own.next()
    throw new Error('not a request')
  }
  await expect(fail()).rejects.toThrow('not a request')
  const [storing, other] = [turns.open({ user: 'a' }), turns.open({ user: 'b' })]
  await storing.next()
  storing.end()
  await other.next()
  other.end()
  await storing.next()
})

test('refuses requests of a user with too many waiting, and serves others', async () => {
  const turns = new IngestTurns()
  const first = turns.open({ user: 'mallory' })
  await first.next()
  const requests = Array.from({ length: 2_001 }, async () => {
    using own = turns.open({ user: 'mallory' })
    await own.next()
  })
  const ended = Promise.allSettled(requests)
  const other = turns.open({ user: 'alice' })
  const served = other.next()
  first.end()
  await served
  other.end()
  const outcomes = await ended
  expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
    { reason: { reason: 'ingest_busy' } },
  ])
})
