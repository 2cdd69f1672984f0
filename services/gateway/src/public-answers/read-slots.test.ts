import { expect, test } from 'vitest'

import { ReadSlots } from './read-slots.ts'

const LONG_MS = 600_000

/** Tasks that the test ends; `started` lists those that got a slot. */
function setUp(settings: { slots: number; maxWaiting?: number; maxWaitMs?: number }) {
  const slots = new ReadSlots({ maxWaiting: 10, maxWaitMs: LONG_MS, ...settings })
  const started: string[] = []
  const run = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const done = slots.run(() => {
      started.push(name)
      return promise
    })
    return { done, end: () => resolve(name), fail: () => reject(new Error(name)) }
  }
  return { started, run }
}

test('starts waiting tasks in order, even after a task fails', async () => {
  const { started, run } = setUp({ slots: 1 })
  const [first, second, third] = [run('first'), run('second'), run('third')]
  expect(started).toEqual(['first'])
  first.fail()
  await expect(first.done).rejects.toThrow('first')
  second.end()
  expect(await second.done).toBe('second')
  third.end()
  expect(await third.done).toBe('third')
  expect(started).toEqual(['first', 'second', 'third'])
  const later = run('later')
  later.end()
  expect(await later.done).toBe('later')
})

test('rejects a task when too many are waiting', async () => {
  const { run } = setUp({ slots: 1, maxWaiting: 1 })
  const [first, second, third] = [run('first'), run('second'), run('third')]
  await expect(third.done).rejects.toMatchObject({ status: 503, code: 'overloaded' })
  first.end()
  second.end()
  expect(await Promise.all([first.done, second.done])).toEqual(['first', 'second'])
})

test('rejects a task that waits too long, and never starts it', async () => {
  const { started, run } = setUp({ slots: 1, maxWaitMs: 1 })
  const first = run('first')
  const second = run('second')
  await expect(second.done).rejects.toMatchObject({
    status: 503,
    code: 'overloaded',
    retryAfterMs: 1000,
  })
  first.end()
  await first.done
  const third = run('third')
  third.end()
  await third.done
  expect(started).toEqual(['first', 'third'])
})
