import { expect, test } from 'vitest'

import { ApiError, ConnectionError } from './errors.ts'
import { backoffMs, retryBounds, retryDelayMs } from './retry.ts'

const bounds = retryBounds()

function answered(status: number, retryAfterSeconds?: number, code = 'any'): ApiError {
  return new ApiError({
    request: 'GET /',
    status,
    code,
    detail: 'why',
    problems: [],
    requestId: undefined,
    retryAfterSeconds,
    problem: undefined,
  })
}

function delayOf(error: unknown, attempt = 1, elapsedMs = 0): number | undefined {
  return retryDelayMs({ error, attempt, elapsedMs }, bounds, 0.5)
}

test.each([429, 502, 503, 504])('repeats after %i', (status) => {
  expect(delayOf(answered(status))).toBe(187.5)
})

test.each([304, 400, 401, 403, 404, 409, 422, 500])('does not repeat after %i', (status) => {
  expect(delayOf(answered(status, 1))).toBeUndefined()
})

test.each(['refused', 'timeout', 'cut', 'unreachable', 'name_lookup_failed'] as const)(
  'repeats a request that failed as %s',
  (reason) => {
    expect(delayOf(new ConnectionError(reason, 'http://x', ''))).toBe(187.5)
  },
)

test.each(['name_not_found', 'tls', 'not_slipway'] as const)(
  'does not repeat a request that failed as %s',
  (reason) => {
    expect(delayOf(new ConnectionError(reason, 'http://x', ''))).toBeUndefined()
  },
)

test('waits as long as the server asks, up to the bound', () => {
  expect(delayOf(answered(503, 7))).toBe(7125)
  expect(delayOf(answered(503, 30))).toBe(30_000)
  expect(delayOf(answered(503, 31))).toBeUndefined()
})

test('ends after the last attempt, and when the time is up', () => {
  expect(delayOf(answered(503), 4)).toBe(1500)
  expect(delayOf(answered(503), 5)).toBeUndefined()
  expect(delayOf(answered(503, 1), 1, 118_875)).toBe(1125)
  expect(delayOf(answered(503, 1), 1, 118_876)).toBeUndefined()
  expect(retryDelayMs({ error: answered(503), attempt: 1, elapsedMs: 0 }, retryBounds(false))).toBe(
    undefined,
  )
})

test('waits for its own request that is still running, but not for another one', () => {
  const inUse = answered(409, 1, 'idempotency_key_in_use')
  expect(delayOf(inUse, 1)).toBeUndefined()
  expect(delayOf(inUse, 2)).toBe(1125)
  expect(delayOf(inUse, 20, 100_000)).toBe(1125)
  expect(delayOf(inUse, 20, 119_000)).toBeUndefined()
})

test('doubles the delay, and waits at least half of it', () => {
  expect([1, 2, 3, 7, 8, 50].map((attempt) => backoffMs(attempt, 1))).toEqual([
    250, 500, 1000, 16_000, 16_000, 16_000,
  ])
  expect(backoffMs(3, 0)).toBe(500)
})
