import { expect, test } from 'vitest'

import { checkClock, compareVersions } from './server.ts'

test.each([
  ['0.1.0', '0.1.0', 'ok'],
  ['0.1.0', '0.1.9', 'ok'],
  ['0.1.0', '0.2.0', 'warning'],
  ['1.9.0', '1.10.0', 'ok'],
  ['1.0.0', '2.0.0', 'warning'],
])('compares %s with a server of %s', (ours, theirs, status) => {
  expect(compareVersions(ours, theirs).status).toBe(status)
})

test('says which side is older', () => {
  expect(compareVersions('0.9.0', '0.10.0').remedy).toContain('slipway@latest')
  expect(compareVersions('0.10.0', '0.9.0').remedy).toContain('slipway@0.9.0')
})

test('compares the clock with the date of a response', () => {
  const date = 'Mon, 23 Nov 2026 20:00:00 GMT'
  const time = Date.parse(date)
  expect(checkClock(date, time + 29_000).status).toBe('ok')
  expect(checkClock(date, time + 90_000)).toMatchObject({
    status: 'warning',
    detail: "is 90 s ahead of the server's",
  })
  expect(checkClock(date, time - 90_000).detail).toContain('90 s behind')
  expect(checkClock(undefined, time).status).toBe('ok')
})
