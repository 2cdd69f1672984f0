import { describe, expect, test } from 'vitest'

import { nextPageToken, readPageStart, resolvePage } from './page.ts'

const range = { startNs: -5n, endNs: 2n ** 63n }

describe('resolvePage', () => {
  test('defaults to the first 50 traces', () => {
    expect(resolvePage({ pageSize: 0, skip: 0 }, undefined)).toEqual({ limit: 50, offset: 0 })
  })

  test('skips from where the token starts', () => {
    expect(resolvePage({ pageSize: 7, skip: 3 }, { offset: 10, range })).toEqual({
      limit: 7,
      offset: 13,
    })
  })

  test.each([
    ['page_size must be from 1 to 500', { pageSize: 501, skip: 0 }],
    ['page_size must be from 1 to 500', { pageSize: -1, skip: 0 }],
    ['skip must be from 0 to 99990', { pageSize: 1, skip: 99_991 }],
    ['skip must be from 0 to 99990', { pageSize: 1, skip: -1 }],
  ])('throws: %s', (message, request) => {
    expect(() => resolvePage(request, { offset: 10, range })).toThrow(message)
  })
})

test('resolvePage reports every field out of bounds', () => {
  expect(() => resolvePage({ pageSize: 501, skip: 100_001 }, undefined)).toThrow(
    expect.objectContaining({
      message: 'page_size must be from 1 to 500',
      violations: [
        { field: 'page_size', description: 'must be from 1 to 500' },
        { field: 'skip', description: 'must be from 0 to 100000' },
      ],
    }),
  )
})

describe('a page token', () => {
  test('keeps the range and where the next page starts', () => {
    const token = nextPageToken(range, { limit: 7, offset: 13 }, 21)
    expect(token).toMatch(/^[\w-]+$/)
    expect(readPageStart(token)).toEqual({ offset: 20, range })
  })

  test.each([
    ['the list is at its end', { limit: 7, offset: 13 }, 20],
    ['the list is empty', { limit: 7, offset: 0 }, 0],
    ['the next page is beyond the largest offset', { limit: 500, offset: 99_501 }, 200_000],
  ])('is empty if %s', (_, page, total) => {
    expect(nextPageToken(range, page, total)).toBe('')
  })

  test('starts at the beginning if it is empty', () => {
    expect(readPageStart('')).toBeUndefined()
  })

  const encode = (text: string) => Buffer.from(text).toString('base64url')
  test.each([
    'x',
    '%%%',
    'A'.repeat(1000),
    encode('20/1'),
    encode('20/1/2/3'),
    encode('020/1/2'),
    encode('0/1/2'),
    encode('100001/1/2'),
    encode('20/a/2'),
    `${encode('20/1/2')}=`,
  ])('rejects %j', (token) => {
    expect(() => readPageStart(token)).toThrow('page_token must come from a previous response')
  })
})
