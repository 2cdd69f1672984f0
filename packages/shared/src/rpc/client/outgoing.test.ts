import { Code, ConnectError, createContextValues, type HandlerContext } from '@connectrpc/connect'
import { describe, expect, test } from 'vitest'

import { Unavailable } from '../../errors.ts'
import { requestIdKey, requestOrigin, traceContextKey } from '../policies/call-context.ts'
import { awaitShared, callAsService } from './outgoing.ts'

function callWith(remainingMs: number | undefined, signal = new AbortController().signal) {
  const values = createContextValues()
    .set(requestIdKey, 'request-1')
    .set(traceContextKey, { traceparent: '00-1', tracestate: 'vendor=1' })
  const call: Pick<HandlerContext, 'signal' | 'timeoutMs' | 'values'> = {
    signal,
    timeoutMs: () => remainingMs,
    values,
  }
  return call as HandlerContext
}

describe('awaitShared', () => {
  const never = new Promise<string>(() => {})

  test('returns the result, or throws its error', async () => {
    expect(await awaitShared(callWith(undefined), Promise.resolve('done'), 'catalog')).toBe('done')
    expect(await awaitShared(callWith(2 ** 40), Promise.resolve('done'), 'catalog')).toBe('done')
    const error = new Error('refused')
    await expect(awaitShared(callWith(1_000), Promise.reject(error), 'catalog')).rejects.toBe(error)
  })

  test('throws Unavailable when the call runs out of time, not affecting others', async () => {
    const result = Promise.withResolvers<string>()
    await expect(awaitShared(callWith(51), result.promise, 'catalog')).rejects.toThrow(
      new Unavailable(
        'service_unavailable',
        'the catalog service is unreachable or too slow; retry later',
      ),
    )
    const other = awaitShared(callWith(60_000), result.promise, 'catalog')
    result.resolve('done')
    expect(await other).toBe('done')
  })

  test.each([undefined, 60_000])('ends with a call that has %s ms left', async (remainingMs) => {
    const ending = new AbortController()
    const waiting = awaitShared(callWith(remainingMs, ending.signal), never, 'catalog')
    const reason = new ConnectError('the call was cancelled', Code.Canceled)
    ending.abort(reason)
    await expect(waiting).rejects.toBe(reason)
  })
})

test('callAsService sends the token, its own deadline and the origin’s ids', async () => {
  const { headers, timeoutMs, signal } = await callAsService(
    async () => 'secret',
    5_000,
    requestOrigin(callWith(10)),
  )
  expect(Object.fromEntries(new Headers(headers))).toEqual({
    authorization: 'Bearer secret',
    'x-request-id': 'request-1',
    traceparent: '00-1',
    tracestate: 'vendor=1',
  })
  expect([timeoutMs, signal]).toEqual([5_000, undefined])
})
