import { expect, test } from 'vitest'

import { TraceTurns } from './trace-turns.ts'

const never = { signal: new AbortController().signal }

test('a user waits after a read that took long, and other users do not', async () => {
  const clock = { now: 0 }
  const turns = new TraceTurns(() => clock.now)
  const begun: string[] = []
  const begin = async (user: string) => {
    const turn = await turns.begin({ user }, never)
    begun.push(user)
    return turn
  }
  const long = await begin('attacker')
  const waiting = begin('attacker')
  clock.now = 3_600_000
  long[Symbol.dispose]()
  for (let read = 0; read < 3; read += 1) {
    const short = await begin('bystander')
    clock.now += 10
    short[Symbol.dispose]()
  }
  expect(begun).toEqual(['attacker', 'bystander', 'bystander', 'bystander'])
  await expect(Promise.race([waiting, Promise.resolve('waits')])).resolves.toBe('waits')
})

test('rejects reads of a user with too many waiting', async () => {
  const turns = new TraceTurns()
  await turns.begin({ user: 'attacker' }, never)
  const reads = Array.from({ length: 33 }, () => turns.begin({ user: 'attacker' }, never))
  await expect(Promise.race(reads)).rejects.toMatchObject({ reason: 'too_many_queries' })
  await turns.begin({ user: 'bystander' }, never)
})
