import { expect, test } from 'vitest'

import { FairPool } from './fair-pool.ts'

const never = new AbortController().signal
const LIMITS = { perOwner: 3, total: 5 }

/**
 * Borrowers that each keep what they have until their gate opens; `begun` names them in the order
 * of their turns.
 */
function borrowers(turns: FairPool<string>, owners: readonly string[]) {
  const begun: string[] = []
  const gates = owners.map(() => Promise.withResolvers<void>())
  const runs = owners.map((owner, index) =>
    turns.use(owner, never, async () => {
      begun.push(`${owner}${index}`)
      await gates[index]?.promise
    }),
  )
  const end = async (index: number) => {
    gates[index]?.resolve()
    await runs[index]
    await Promise.resolve()
  }
  return { begun, runs, end }
}

test('each thing is used by one at a time, by one owner in the order of asking', async () => {
  const { begun, end } = borrowers(new FairPool(['a', 'b'], LIMITS), ['x', 'x', 'x', 'x'])
  expect(begun).toEqual(['x0', 'x1'])
  await end(1)
  expect(begun).toEqual(['x0', 'x1', 'x2'])
  await end(0)
  expect(begun).toEqual(['x0', 'x1', 'x2', 'x3'])
  await end(2)
  await end(3)
})

test('nobody has a second thing while another owner waits for a first, and owners that wait take turns', async () => {
  const { begun, end } = borrowers(new FairPool(['a', 'b'], LIMITS), [
    'x',
    'x',
    'x',
    'x',
    'y',
    'y',
    'z',
  ])
  await end(0)
  expect(begun.at(-1)).toBe('y4')
  await end(1)
  expect(begun.at(-1)).toBe('x2')
  await end(4)
  expect(begun.at(-1)).toBe('z6')
  await end(6)
  expect(begun.at(-1)).toBe('y5')
  await end(2)
  expect(begun.at(-1)).toBe('x3')
  await end(3)
  await end(5)
})

test('too many who wait are refused at once: of one owner, and in all', async () => {
  const turns = new FairPool(['a'], LIMITS)
  const { runs, end } = borrowers(turns, ['x', 'x', 'x', 'x'])
  const refused = { reason: 'too_many_queries', retryAfterMs: 1000 }
  await expect(turns.use('x', never, async () => 1)).rejects.toMatchObject(refused)
  const others = borrowers(turns, ['y', 'z'])
  await expect(turns.use('w', never, async () => 1)).rejects.toMatchObject({
    reason: 'trace_store_busy',
  })
  await Promise.all(
    [...runs.keys()].map((index) => end(index)).concat([0, 1].map((index) => others.end(index))),
  )
  expect(await turns.use('x', never, async (thing) => thing)).toBe('a')
})

test('who gives up while waiting is passed over, and a failure gives the thing back', async () => {
  const turns = new FairPool(['a'], { perOwner: 2, total: 2 })
  const gate = Promise.withResolvers<void>()
  const first = turns.use('x', never, () => gate.promise)
  const caller = new AbortController()
  const second = turns.use('x', caller.signal, () => Promise.reject(new Error('begun after all')))
  const third = turns.use('x', never, async (thing) => thing)
  caller.abort(new Error('gave up'))
  await expect(second).rejects.toThrow('gave up')
  gate.reject(new Error('failed'))
  await expect(first).rejects.toThrow('failed')
  expect(await third).toBe('a')
  await expect(
    turns.use('x', AbortSignal.abort(new Error('too late')), async () => 1),
  ).rejects.toThrow('too late')
})
