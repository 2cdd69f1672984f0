import { expect, test } from 'vitest'

import { doEach, settleEach } from './settle-each.ts'

const ITEMS = Array.from({ length: 40 }, (_, index) => index)

test('works on 16 items at a time, and keeps their order', async () => {
  let running = 0
  let most = 0
  const settled = await settleEach(ITEMS, async (item) => {
    most = Math.max(most, (running += 1))
    await Promise.resolve()
    running -= 1
    if (item === 3) throw new Error('three')
    return item
  })
  expect(most).toBe(16)
  expect(settled.map((each) => (each.status === 'fulfilled' ? each.value : 'failed'))).toEqual(
    ITEMS.map((item) => (item === 3 ? 'failed' : item)),
  )
  expect(await settleEach([], async () => 1)).toEqual([])
})

test('stops when the work has failed for many items', async () => {
  const tried: number[] = []
  const settled = await settleEach(ITEMS, async (item) => {
    tried.push(item)
    throw new Error('down')
  })
  expect(tried.length).toBeLessThan(32)
  expect(settled.map(({ status }) => status)).toEqual(ITEMS.map(() => 'rejected'))
})

test('doEach does all work before it rejects', async () => {
  const done: number[] = []
  const work = async (item: number) => {
    done.push(item)
    if (item === 0) throw new Error('zero')
    return item
  }
  await expect(doEach(ITEMS, work)).rejects.toThrow('zero')
  expect(done).toEqual(ITEMS)
})
