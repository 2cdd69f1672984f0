import { DomainError } from '@slipway/shared/errors'
import { expect, test } from 'vitest'

import { StreamSlots } from './stream-slots.ts'

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
  const slots = new StreamSlots({ total: 4, perAccount: 3, perUser: 2 })
  const first = slots.take(user('a'), 'one')
  slots.take(user('a'), 'one')
  expect(reasonOf(() => slots.take(user('a'), 'two'))).toMatch(
    /^too_many_streams: .* by you; close one, or retry later$/,
  )
  slots.take(user('b'), 'one')
  expect(reasonOf(() => slots.take(user('b'), 'one'))).toMatch(/for the account; /)
  slots.take(user('b'), 'two')
  expect(reasonOf(() => slots.take(user('c'), 'three'))).toMatch(/in total; /)
  first[Symbol.dispose]()
  first[Symbol.dispose]()
  const next = slots.take(user('c'), 'three')
  expect(reasonOf(() => slots.take(user('c'), 'three'))).toMatch(/in total; /)
  next[Symbol.dispose]()
  expect(reasonOf(() => slots.take(user('a'), 'one'))).toBe('taken')
})
