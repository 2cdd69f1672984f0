import { expect, test } from 'vitest'
import { bringUp, failedParts, takeDown } from './part.ts'
import type { Part, PartReport } from './part.ts'
import { defaultSettings } from './settings.ts'
import { makeStack } from './settings-store.ts'
import { stackDirectories } from './stack.ts'

const silent: PartReport = { log() {}, done() {}, failed() {} }
const stackOf = () => makeStack(stackDirectories({}), defaultSettings)

function part(name: string, needs: string[], events: string[], failure?: string): Part {
  return {
    name,
    needs,
    async up(stack) {
      events.push(`${name} starts with ${[...stack.env.keys()].join('')}`)
      await Promise.resolve()
      if (failure !== undefined) throw new Error(failure)
      return { [name.toUpperCase()]: 'up' }
    },
    async down() {
      events.push(`${name} ends`)
      if (failure !== undefined) throw new Error(failure)
    },
    status: async () => [],
  }
}

test('starts a part when those it needs are up, with their environment', async () => {
  const events: string[] = []
  const stack = stackOf()
  await bringUp(
    [part('c', ['a', 'b'], events), part('a', [], events), part('b', ['a'], events)],
    stack,
    silent,
  )
  expect(events).toEqual(['a starts with ', 'b starts with A', 'c starts with AB'])
  expect([...stack.env.keys()]).toEqual(['A', 'B', 'C'])
})

test('skips parts that need a failed one, starts the rest, and reports the failures', async () => {
  const events: string[] = []
  const parts = [
    part('a', [], events, 'no'),
    part('b', ['a'], events),
    part('c', [], events),
    part('d', [], events, 'nor'),
  ]
  const error = await bringUp(parts, stackOf(), silent).catch((each: unknown) => each)
  expect(failedParts(error)).toEqual(['a', 'd'])
  expect(events.map((event) => event[0])).toEqual(['a', 'c', 'd'])
})

test('stops parts after those that need them, and continues after a failure', async () => {
  const events: string[] = []
  const parts = [part('a', [], events), part('b', ['a'], events, 'stuck'), part('c', ['b'], events)]
  await expect(takeDown(parts, stackOf())).rejects.toThrow('b: stuck')
  expect(events).toEqual(['c ends', 'b ends', 'a ends'])
})

test('rejects parts that depend on each other', async () => {
  const parts = [part('a', ['b'], []), part('b', ['a'], [])]
  await expect(bringUp(parts, stackOf(), silent)).rejects.toThrow('a → b → a')
})
