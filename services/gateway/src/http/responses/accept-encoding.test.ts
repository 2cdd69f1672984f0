import { expect, test } from 'vitest'

import { acceptedEncoding } from './accept-encoding.ts'

test.each([
  [undefined, undefined],
  ['', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['gzip; q=0.8 , br ; q=0.9', 'br'],
  ['br;q=0, gzip;q=0', undefined],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['*;q=0.5, identity', undefined],
  ['identity', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['deflate', undefined],
  ['gzip;q=x', undefined],
])('selects, for Accept-Encoding %s, the encoding %s', (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding)
  // The second time the header has been parsed already.
  expect(acceptedEncoding(header)).toBe(encoding)
})
