import { expect, test } from 'vitest'

import { expiry } from './run.ts'

const NOW = Date.parse('2026-11-23T12:00:00Z')

test.each([
  ['2027-02-21T12:00:00Z', { text: 'in 90 d', style: undefined }],
  ['2026-12-01T12:00:00Z', { text: 'in 8 d', style: 'warning' }],
  ['2026-11-23T12:00:00Z', { text: 'expired 0 s ago', style: 'bad' }],
  ['2026-11-20T12:00:00Z', { text: 'expired 3 d ago', style: 'bad' }],
])('marks tokens that expire soon or have expired: %s', (time, cell) => {
  expect(expiry(time, NOW)).toEqual({ ...cell, plain: time })
})
