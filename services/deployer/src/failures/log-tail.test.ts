import { expect, test } from 'vitest'

import { logTail } from './log-tail.ts'

const SECRET = 'hunter2-hunter2'

test('keeps the last lines, without empty ones, colors and values of credentials', () => {
  const log = `first\n\n\u001B[31mred\u001B[0m ${SECRET}\r\nlast\n`
  expect(logTail(log, [SECRET])).toEqual(['first', 'red [redacted]', 'last'])
})

test('redacts a value before it cuts a line', () => {
  const [line = ''] = logTail(`${'x'.repeat(995)}${SECRET}`, [SECRET])
  expect(line).not.toContain('hunter2')
  expect(line.length).toBeLessThanOrEqual(1001)
})

test('is bounded in lines and bytes', () => {
  const many = Array.from({ length: 500 }, (_, index) => `line ${index}`)
  expect(logTail(many.join('\n'), [])).toEqual(many.slice(-20))
  const long = Array.from({ length: 20 }, () => 'é'.repeat(900))
  expect(logTail(long.join('\n'), [])).toHaveLength(2)
})

test('ignores what a node returns instead of a log', () => {
  expect(logTail('unable to retrieve container logs for containerd://1f', [])).toEqual([])
})
