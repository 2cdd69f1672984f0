import { InvalidInput } from '@slipway/shared/errors'
import { expect, test } from 'vitest'

import { readMemberToken, readPageToken, writeMemberToken, writePageToken } from './page-token.ts'

test('a token keeps its position, and an empty token is the beginning', () => {
  const position = { name: 'a.b_c-d', account: 'team' }
  expect(writePageToken(position)).toMatch(/^[\w-]+$/)
  expect(readPageToken(writePageToken(position))).toEqual(position)
  expect(readPageToken('')).toBeUndefined()
})

test.each([
  'x',
  '%%%',
  'bmFtZQ',
  Buffer.from('a/b/c').toString('base64url'),
  Buffer.from('A/team').toString('base64url'),
  'A'.repeat(1000),
])('%j is refused', (token) => {
  expect(() => readPageToken(token)).toThrow(InvalidInput)
})

test('a token of members keeps its position, and is not valid for agents', () => {
  const userId = '0b0a5b4e-4b52-4c4f-8a37-0d8a2c6a1a55'
  const token = writeMemberToken(userId)
  expect([token, readMemberToken(token)]).toEqual([expect.stringMatching(/^[\w-]+$/), userId])
  expect(readMemberToken('')).toBeUndefined()
  expect(() => readPageToken(token)).toThrow(InvalidInput)
  expect(() => readMemberToken(writePageToken({ name: 'bot', account: 'team' }))).toThrow(
    InvalidInput,
  )
  for (const invalid of [
    'x',
    '%%%',
    Buffer.from("'; --").toString('base64url'),
    'A'.repeat(1000),
  ]) {
    expect(() => readMemberToken(invalid)).toThrow(InvalidInput)
  }
})
