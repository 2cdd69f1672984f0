import { setImmediate } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { createSpecQueue, readInTurn } from './spec-turns.ts'

test('everything else continues between two specs, and users take turns', async () => {
  const queue = createSpecQueue()
  const order: string[] = []
  const read = (user: string) => readInTurn(queue, user, () => order.push(user))
  const specs = Promise.all([...Array.from({ length: 4 }, () => read('mallory')), read('alice')])
  let isReading = true
  const others = (async () => {
    while (isReading) {
      await setImmediate()
      order.push('other')
    }
  })()
  await specs
  isReading = false
  await others
  const pairs = order.slice(1).map((entry, index) => [order[index], entry])
  expect(pairs.filter((pair) => !pair.includes('other'))).toEqual([])
  expect(order.filter((entry) => entry !== 'other').slice(0, 2)).toEqual(['mallory', 'alice'])
})

test('a spec that can’t be read does not keep the turn', async () => {
  const queue = createSpecQueue()
  const fail = () => {
    throw new Error('unreadable')
  }
  await expect(readInTurn(queue, 'a', fail)).rejects.toThrow('unreadable')
  expect(await readInTurn(queue, 'a', () => 'read')).toBe('read')
})
