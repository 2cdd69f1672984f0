import { InvalidInput } from '@slipway/shared/errors'
import { expect, test } from 'vitest'

import { readPageToken, writePageToken } from './page-token.ts'

test('a position comes back, and the empty token is the beginning', () => {
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
