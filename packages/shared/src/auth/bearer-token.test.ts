import { expect, test } from 'vitest'

import { bearerToken } from './bearer-token.ts'

test.each([
  ['Bearer abc', 'abc'],
  ['bearer   a.b-c_d~e+f/g==  ', 'a.b-c_d~e+f/g=='],
  ['Bearer', undefined],
  ['Bearer ', undefined],
  ['Bearer a b', undefined],
  ['Bearer a=b', undefined],
  ['Bearer ä', undefined],
  ['Basic abc', undefined],
  ['xBearer abc', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('the token of %j is %j', (header, token) => {
  expect(bearerToken(header)).toBe(token)
})
