import { DomainError } from '@slipway/shared/errors'
import { expect, test } from 'vitest'

import { createOperationQueue, createStreamQueue, createWaitQueue } from './call-queues.ts'

const bounds = { total: 3, perUser: 1, perAccount: 2 }

function reasonOf(call: () => unknown): string {
  try {
    call()
    return 'taken'
  } catch (error) {
    return error instanceof DomainError ? `${error.reason}: ${error.message}` : String(error)
  }
}

test('says which bound of streams is reached, and what to do', () => {
  const queue = createStreamQueue(bounds)
  const take = (user: string, account: string) => reasonOf(() => queue.take({ user, account }))
  expect([take('a', 'one'), take('b', 'one')]).toEqual(['taken', 'taken'])
  expect(take('a', 'two')).toMatch(
    /^too_many_streams: .* by you \(at most 1\); close one, or retry later$/,
  )
  expect(take('c', 'one')).toMatch(/for the account \(at most 2\); /)
  expect(take('c', 'two')).toBe('taken')
  expect(take('d', 'two')).toMatch(/in total \(at most 3\); /)
})

test('waits have their own bounds and error', () => {
  createStreamQueue(bounds).take({ user: 'a' })
  const waits = createWaitQueue(bounds)
  waits.take({ user: 'a' })
  expect(reasonOf(() => waits.take({ user: 'a' }))).toBe(
    'too_many_waits: too many deploys and rollbacks are waiting for their rollout by you ' +
      '(at most 1); retry later, or send the request without wait',
  )
})

test('operations wait for their turn, up to a bound', async () => {
  const queue = createOperationQueue({ total: 10, perUser: 1, perAccount: 5 })
  const { signal } = new AbortController()
  const wait = async () => await queue.wait({ user: 'a', account: 'one' }, { signal })
  const calls = Array.from({ length: 251 }, wait)
  await expect(wait()).rejects.toMatchObject({
    reason: 'too_many_operations',
    message: expect.stringContaining('are waiting by you (at most 250); retry later'),
  })
  for (const call of calls) (await call)[Symbol.dispose]()
})
