import { createLogger } from '@slipway/shared/logger'
import { expect, test } from 'vitest'

import { EvaluationQueue } from './evaluation-queue.ts'

const logger = createLogger('test', 'silent')

/** A queue whose evaluations end when the test says so; `begun` lists them. */
function startQueue() {
  const begun: string[] = []
  const gates = new Map<string, PromiseWithResolvers<'done' | 'later'>>()
  const queue = new EvaluationQueue(async (id) => {
    begun.push(id)
    const gate = Promise.withResolvers<'done' | 'later'>()
    gates.set(id, gate)
    return await gate.promise
  }, logger)
  const end = (id: string, outcome: 'done' | 'later' = 'done') => gates.get(id)?.resolve(outcome)
  return { queue, begun, end }
}

const row = (id: string, user: string) => ({ id, account_id: `of-${user}`, deployed_by: user })

test('evaluations of one user that hang do not delay those of others', async () => {
  const { queue, begun, end } = startQueue()
  const hanging = Array.from({ length: 10 }, (_, index) => `m${index}`)
  queue.learnOwners([...hanging.map((id) => row(id, 'mallory')), row('own', 'alice')])
  for (const id of hanging) queue.add(id, 0)
  await expect.poll(() => begun).toHaveLength(2)
  queue.add('own', 0)
  await expect.poll(() => begun).toContain('own')
  expect(begun).toHaveLength(3)
  for (const id of begun) end(id)
  const stopping = queue.stop()
  for (const id of begun) end(id)
  await stopping
})

test('many changes cause one evaluation, and a change during it causes another', async () => {
  const { queue, begun, end } = startQueue()
  for (let change = 0; change < 3; change += 1) queue.add('a', 0)
  await expect.poll(() => begun).toEqual(['a'])
  queue.add('a', 0)
  queue.add('b', 0)
  await expect.poll(() => begun).toEqual(['a', 'b'])
  end('a')
  await expect.poll(() => begun).toEqual(['a', 'b', 'a'])
  end('a', 'later')
  await expect.poll(() => begun).toEqual(['a', 'b', 'a', 'a'])
  const stopping = queue.stop()
  end('a')
  end('b')
  await stopping
  queue.add('c', 0)
  expect(begun).toHaveLength(4)
})

test('a queue that stops begins none of the evaluations that wait', async () => {
  const { queue, begun, end } = startQueue()
  for (let count = 0; count < 10; count += 1) queue.add(`d${count}`, 0)
  await expect.poll(() => begun).toHaveLength(2)
  const stopping = queue.stop()
  for (const id of begun) end(id)
  await stopping
  expect(begun).toHaveLength(2)
})
