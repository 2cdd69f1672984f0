import { expect, test } from 'vitest'

import { Turns } from './turns.ts'

const never = new AbortController().signal

test('each thing is used by one at a time, in the order of asking', async () => {
  const turns = new Turns(['a', 'b'])
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  const begun: string[] = []
  const runs = gates.map((gate, index) =>
    turns.use(never, async (thing) => {
      begun.push(`${index}${thing}`)
      await gate.promise
    }),
  )
  expect(begun).toEqual(['0a', '1b'])
  gates[1]?.resolve()
  await runs[1]
  await Promise.resolve()
  expect(begun).toEqual(['0a', '1b', '2b'])
  for (const gate of gates) gate.resolve()
  await Promise.all(runs)
  expect(begun).toEqual(['0a', '1b', '2b', '3a'])
})

test('who gives up while waiting is passed over, and a failure gives the thing back', async () => {
  const turns = new Turns(['a'])
  const gate = Promise.withResolvers<void>()
  const first = turns.use(never, () => gate.promise)
  const caller = new AbortController()
  const second = turns.use(caller.signal, () => Promise.reject(new Error('begun after all')))
  const third = turns.use(never, async (thing) => thing)
  caller.abort(new Error('gave up'))
  await expect(second).rejects.toThrow('gave up')
  gate.reject(new Error('failed'))
  await expect(first).rejects.toThrow('failed')
  expect(await third).toBe('a')
  await expect(turns.use(AbortSignal.abort(new Error('too late')), async () => 1)).rejects.toThrow('too late')
})
