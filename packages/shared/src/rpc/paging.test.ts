import { describe, expect, test } from 'vitest'

import { InvalidInput } from '../errors.ts'
import { readPageSize, readPageToken, toPageToken } from './paging.ts'

const sizes = { usual: 50, max: 500 }

test('a page size of 0 is the usual one', () => {
  expect([0, 1, 500].map((size) => readPageSize(size, sizes))).toEqual([50, 1, 500])
})

test.each([-1, 501])('a page size of %j is rejected with its bounds', (size) => {
  expect(() => readPageSize(size, sizes)).toThrow('page_size must be from 1 to 500')
})

describe('a page token', () => {
  const parse = (position: string) => (position.startsWith('é') ? position : undefined)

  test('keeps its position and is safe in a URL', () => {
    expect(toPageToken('é?>/')).toMatch(/^[\w-]+$/)
    expect(readPageToken(toPageToken('é?>/'), parse)).toBe('é?>/')
  })

  test('is the beginning of the list if it is empty', () => {
    expect(readPageToken('', parse)).toBeUndefined()
  })

  test.each([
    'x',
    '%%%',
    'A'.repeat(1000),
    toPageToken('other'),
    `${toPageToken('é')}=`,
    Buffer.from([0xff]).toString('base64url'),
  ])('%j is rejected', (token) => {
    expect(() => readPageToken(token, parse)).toThrow(InvalidInput)
  })
})
