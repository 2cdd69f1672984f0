import { expect, test } from 'vitest'

import { FairPool } from './fair-pool.ts'

const never = new AbortController().signal
const LIMITS = { perOwner: 3, total: 5 }

/**
 * Starts a borrower for each owner, which keeps its resource until `end`. `begun` lists the
 * borrowers in the order in which they were served.
 */
function startBorrowers(pool: FairPool<string>, owners: readonly string[]) {
  const begun: string[] = []
  const gates = owners.map(() => Promise.withResolvers<void>())
  const runs = owners.map((owner, index) =>
    pool.use(owner, never, async () => {
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

test('lends a resource to one borrower at a time, in the order of the calls', async () => {
  const { begun, end } = startBorrowers(new FairPool(['a', 'b'], LIMITS), ['x', 'x', 'x', 'x'])
  expect(begun).toEqual(['x0', 'x1'])
  await end(1)
  expect(begun).toEqual(['x0', 'x1', 'x2'])
  await end(0)
  expect(begun).toEqual(['x0', 'x1', 'x2', 'x3'])
  await end(2)
  await end(3)
})

test('no owner gets a second resource while another waits; owners take turns', async () => {
  const { begun, end } = startBorrowers(new FairPool(['a', 'b'], LIMITS), 'xxxxyyz'.split(''))
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

test('rejects a borrower when too many wait, of its owner or in total', async () => {
  const pool = new FairPool(['a'], LIMITS)
  const { runs, end } = startBorrowers(pool, ['x', 'x', 'x', 'x'])
  const rejected = { reason: 'too_many_queries', retryAfterMs: 1000 }
  await expect(pool.use('x', never, async () => 1)).rejects.toMatchObject(rejected)
  const others = startBorrowers(pool, ['y', 'z'])
  await expect(pool.use('w', never, async () => 1)).rejects.toMatchObject({
    reason: 'trace_store_busy',
  })
  await Promise.all(
    [...runs.keys()].map((index) => end(index)).concat([0, 1].map((index) => others.end(index))),
  )
  expect(await pool.use('x', never, async (resource) => resource)).toBe('a')
})

test('skips a borrower that gave up, and gets the resource back after a failure', async () => {
  const pool = new FairPool(['a'], { perOwner: 2, total: 2 })
  const gate = Promise.withResolvers<void>()
  const first = pool.use('x', never, () => gate.promise)
  const caller = new AbortController()
  const second = pool.use('x', caller.signal, () => Promise.reject(new Error('must not begin')))
  const third = pool.use('x', never, async (resource) => resource)
  caller.abort(new Error('gave up'))
  await expect(second).rejects.toThrow('gave up')
  gate.reject(new Error('failed'))
  await expect(first).rejects.toThrow('failed')
  expect(await third).toBe('a')
  await expect(
    pool.use('x', AbortSignal.abort(new Error('too late')), async () => 1),
  ).rejects.toThrow('too late')
})
