import { describe, expect, test } from 'vitest'

import { countWords } from '../src/counter.ts'
import { parseAnswer } from '../src/redis.ts'

describe('parseAnswer', () => {
  test.each([
    ['+PONG\r\n', 'PONG'],
    [':7\r\n', 7],
    ['$5\r\nhello\r\n', 'hello'],
    ['$-1\r\n', null],
    ['$5\r\nhel', undefined],
    ['+PO', undefined],
  ])('reads %j', (text, value) => {
    expect(parseAnswer(Buffer.from(text))).toBe(value)
  })

  test('returns an error reply as an Error', () => {
    expect(parseAnswer(Buffer.from('-ERR no such command\r\n'))).toEqual(
      new Error('ERR no such command'),
    )
  })
})

test('countWords counts words', () => {
  expect(countWords(' one  two\nthree ')).toBe(3)
  expect(countWords('')).toBe(0)
})
