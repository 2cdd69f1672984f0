import { DomainError } from '@slipway/shared/errors'
import { expect, test } from 'vitest'

import { CallSlots, STREAMS, WAITS } from './call-slots.ts'

const user = (subject: string) => ({ realm: 'r', subject })

function reasonOf(call: () => unknown): string {
  try {
    call()
    return 'taken'
  } catch (error) {
    return error instanceof DomainError ? `${error.reason}: ${error.message}` : String(error)
  }
}

test('limits streams per user, per account and in total, and frees slots', () => {
  const slots = new CallSlots(STREAMS, { total: 4, perAccount: 3, perUser: 2 })
  const first = slots.take(user('a'), 'one')
  slots.take(user('a'), 'one')
  expect(reasonOf(() => slots.take(user('a'), 'two'))).toMatch(
    /^too_many_streams: .* by you \(at most 2\); close one, or retry later$/,
  )
  slots.take(user('b'), 'one')
  expect(reasonOf(() => slots.take(user('b'), 'one'))).toMatch(/for the account \(at most 3\); /)
  slots.take(user('b'), 'two')
  expect(reasonOf(() => slots.take(user('c'), 'three'))).toMatch(/in total \(at most 4\); /)
  first[Symbol.dispose]()
  first[Symbol.dispose]()
  const next = slots.take(user('c'), 'three')
  expect(reasonOf(() => slots.take(user('c'), 'three'))).toMatch(/in total \(at most 4\); /)
  next[Symbol.dispose]()
  expect(reasonOf(() => slots.take(user('a'), 'one'))).toBe('taken')
})

test('each kind has its own slots and error', () => {
  const limits = { total: 1, perAccount: 1, perUser: 1 }
  new CallSlots(STREAMS, limits).take(user('a'), 'one')
  const waits = new CallSlots(WAITS, limits)
  waits.take(user('a'), 'one')
  expect(reasonOf(() => waits.take(user('a'), 'two'))).toBe(
    'too_many_waits: too many deploys and rollbacks are waiting for their rollout by you ' +
      '(at most 1); retry later, or send the request without wait',
  )
})
