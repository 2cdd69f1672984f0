import { describe, expect, test } from 'vitest'

import { continueTrace, parentOf, traceContextOf, traceHeaders } from './trace-context.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const SPAN_ID = 'b7ad6b7169203331'
const SAMPLED = `00-${TRACE_ID}-${SPAN_ID}-01`

describe('continueTrace', () => {
  test.each([
    ['version 00, sampled', SAMPLED, '01'],
    ['version 00, not sampled', `00-${TRACE_ID}-${SPAN_ID}-00`, '00'],
    ['unknown flags', `00-${TRACE_ID}-${SPAN_ID}-ff`, '03'],
    ['version 01', `01-${TRACE_ID}-${SPAN_ID}-01`, '01'],
    [
      'version 01 with further fields',
      `01-${TRACE_ID}-${SPAN_ID}-01-what-the-future-will-be`,
      '01',
    ],
    ['version fe with unknown flags', `fe-${TRACE_ID}-${SPAN_ID}-f0-`, '00'],
  ])('continues the trace of a header with %s', (_, traceparent, flags) => {
    const next = continueTrace({ traceparent }).traceparent
    expect(next).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-${flags}$`))
    expect(next).not.toContain(SPAN_ID)
  })

  test.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['version 00 with further fields', `${SAMPLED}-00`],
    ['version ff', `ff-${TRACE_ID}-${SPAN_ID}-01`],
    ['upper case', SAMPLED.toUpperCase()],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN_ID}-01`],
    ['a span id of zeros', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
    ['a short trace id', `00-${TRACE_ID.slice(1)}-${SPAN_ID}-01`],
    ['version 01 with appended text', `01-${TRACE_ID}-${SPAN_ID}-01.future`],
    ['two headers', `${SAMPLED}, ${SAMPLED}`],
  ])('starts a new, sampled trace for %s, and drops the tracestate', (_, traceparent) => {
    const next = continueTrace({ traceparent, tracestate: 'vendor=1' })
    expect(next.traceparent).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01$/)
    expect(next.traceparent).not.toContain(TRACE_ID)
    expect(next.tracestate).toBe('')
  })

  test.each([
    ['rojo=00f067aa0ba902b7,congo=t61rcWkgMzE', 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'],
    [' a=1 ,, 2@b=x y ', 'a=1,2@b=x y'],
    ['a=1,UPPER=2,c=\u{1F600},d=e=f', 'a=1'],
    ['', ''],
    [null, ''],
  ])('passes the tracestate %j on as %j', (tracestate, expected) => {
    expect(continueTrace({ traceparent: SAMPLED, tracestate }).tracestate).toBe(expected)
    const future = `01-${TRACE_ID}-${SPAN_ID}-01-x`
    expect(continueTrace({ traceparent: future, tracestate }).tracestate).toBe(expected)
  })

  test('assigns every hop a new span id', () => {
    const made = Array.from({ length: 1000 }, () => continueTrace({ traceparent: SAMPLED }))
    expect(new Set(made.map(({ traceparent }) => traceparent)).size).toBe(1000)
  })
})

test('a span’s context has the form of the headers that led to it', () => {
  const headers = { traceparent: SAMPLED, tracestate: 'a=1,b=2' }
  const parent = parentOf(headers)
  expect(parent).toMatchObject({
    traceId: TRACE_ID,
    spanId: SPAN_ID,
    traceFlags: 1,
    isRemote: true,
  })
  expect(parent && traceHeaders(traceContextOf(parent))).toEqual(headers)
  expect(traceHeaders({ traceparent: SAMPLED, tracestate: '' })).toEqual({ traceparent: SAMPLED })
})
