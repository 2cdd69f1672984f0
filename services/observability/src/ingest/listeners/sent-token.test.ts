import { expect, test } from 'vitest'

import { sentToken } from './sent-token.ts'

test.each([
  ['Bearer abc', 'abc'],
  ['Bearer%20abc', 'abc'],
  ['bearer%20a.b-c_d~e', 'a.b-c_d~e'],
  ['Bearer%20%20abc', undefined],
  ['Basic%20abc', undefined],
  [null, undefined],
  [undefined, undefined],
])('the token of %j is %j', (header, token) => {
  expect(sentToken(header)).toBe(token)
})
