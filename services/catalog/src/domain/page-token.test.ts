import { InvalidInput } from '@slipway/shared/errors'
import { toPageToken } from '@slipway/shared/paging'
import { expect, test } from 'vitest'

import { readAgentToken, readMemberToken, toAgentToken } from './page-token.ts'

test('a token keeps its position, and an empty token is the beginning', () => {
  const position = { name: 'a.b_c-d', account: 'team' }
  expect(toAgentToken(position)).toMatch(/^[\w-]+$/)
  expect(readAgentToken(toAgentToken(position))).toEqual(position)
  expect(readAgentToken('')).toBeUndefined()
})

test.each([
  'x',
  '%%%',
  'bmFtZQ',
  Buffer.from('a/b/c').toString('base64url'),
  Buffer.from('A/team').toString('base64url'),
  'A'.repeat(1000),
])('%j is rejected', (token) => {
  expect(() => readAgentToken(token)).toThrow(InvalidInput)
})

test('a token of members keeps its position, and is not valid for agents', () => {
  const userId = '0b0a5b4e-4b52-4c4f-8a37-0d8a2c6a1a55'
  const token = toPageToken(userId)
  expect([token, readMemberToken(token)]).toEqual([expect.stringMatching(/^[\w-]+$/), userId])
  expect(readMemberToken('')).toBeUndefined()
  expect(() => readAgentToken(token)).toThrow(InvalidInput)
  expect(() => readMemberToken(toAgentToken({ name: 'bot', account: 'team' }))).toThrow(
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
