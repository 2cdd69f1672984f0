import { expect, test } from 'vitest'

import { idsInLogs } from './logged-ids.ts'

test('takes the first session and the first user that records name', () => {
  const records = [
    '{"body":"{\\"user.id\\":\\"quoted\\"}"}',
    '{"user.id":"u-1"}',
    '{"user.id":"u-2","gen_ai.conversation.id":"s-1","session.id":""}',
  ]
  expect(idsInLogs(records)).toEqual({ userId: 'u-1', sessionId: 's-1' })
})

test('ignores ids of other types, and shortens long ones', () => {
  expect(idsInLogs(['{"user.id":{"a":1},"session.id":7}'])).toEqual({ userId: '', sessionId: '' })
  expect(idsInLogs([`{"user.id":"${'u'.repeat(300)}"}`]).userId).toHaveLength(256)
})
