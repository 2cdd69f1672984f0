import { expect, test } from 'vitest'

import { ReadSlots } from './read-slots.ts'

const LONG_MS = 600_000

/** Works that end when they are told to; `begun` names those that have a place. */
function setUp(settings: { slots: number; maxWaiting?: number; maxWaitMs?: number }) {
  const slots = new ReadSlots({ maxWaiting: 10, maxWaitMs: LONG_MS, ...settings })
  const begun: string[] = []
  const enter = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const done = slots.run(() => {
      begun.push(name)
      return promise
    })
    return { done, end: () => resolve(name), fail: () => reject(new Error(name)) }
  }
  return { begun, enter }
}

test('who finds no place waits, and gets one in turn, also after a failure', async () => {
  const { begun, enter } = setUp({ slots: 1 })
  const [first, second, third] = [enter('first'), enter('second'), enter('third')]
  expect(begun).toEqual(['first'])
  first.fail()
  await expect(first.done).rejects.toThrow('first')
  second.end()
  expect(await second.done).toBe('second')
  third.end()
  expect(await third.done).toBe('third')
  expect(begun).toEqual(['first', 'second', 'third'])
  const later = enter('later')
  later.end()
  expect(await later.done).toBe('later')
})

test('no more wait than may', async () => {
  const { enter } = setUp({ slots: 1, maxWaiting: 1 })
  const [first, second, third] = [enter('first'), enter('second'), enter('third')]
  await expect(third.done).rejects.toMatchObject({ status: 503, code: 'overloaded' })
  first.end()
  second.end()
  expect(await Promise.all([first.done, second.done])).toEqual(['first', 'second'])
})

test('who has waited too long is told so while the place is still taken, and takes none afterwards', async () => {
  const { begun, enter } = setUp({ slots: 1, maxWaitMs: 1 })
  const first = enter('first')
  const second = enter('second')
  await expect(second.done).rejects.toMatchObject({
    status: 503,
    code: 'overloaded',
    retryAfterMs: 1000,
  })
  first.end()
  await first.done
  const third = enter('third')
  third.end()
  await third.done
  expect(begun).toEqual(['first', 'third'])
})
