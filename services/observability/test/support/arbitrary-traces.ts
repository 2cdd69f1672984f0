import fc from 'fast-check'

import type { TestSpan } from './otlp.ts'

/** The last hour before daylight saving ends in Central Europe, to catch the use of local time. */
export const BASE_MS = Date.UTC(2026, 9, 25, 0, 0)

const traceIds = [
  ...['a', 'b', 'c', 'd', 'e'].map((digit) => digit.repeat(32)),
  // Has the same last bytes, by which spans are selected, as the first id.
  `${'f'.repeat(16)}${'a'.repeat(16)}`,
]
const spanIds = ['1', '2', '3', '4', '5', '6'].map((digit) => digit.repeat(16))

const sessionIds = ['chat', 'chat 2', "it's\t\\'"]
/** The users of spans. */
export const userIds = ['ann', 'ben']

const span: fc.Arbitrary<TestSpan> = fc
  .record({
    traceId: fc.constantFrom(...traceIds),
    spanId: fc.constantFrom(...spanIds),
    parent: fc.constantFrom('', '', ...spanIds, '9'.repeat(16)),
    isRemote: fc.boolean(),
    startMs: fc
      .constantFrom(0, 1, 30, 59, 60, 60, 119, 120, 300)
      .map((minutes) => BASE_MS + minutes * 60_000),
    durationMs: fc.constantFrom(0, 0.5, 1, 1, 20, 1000, 7_200_000),
    isError: fc.boolean(),
    name: fc.constantFrom('one', 'two', 'three'),
    isCall: fc.boolean(),
    tokens: fc.constantFrom(0n, 1n, 100n, 2n ** 53n + 1n),
    costUsd: fc.constantFrom(0n, 0n, 1n, 50n),
    responseId: fc.constantFrom('', 'r1', 'r2'),
    sessionId: fc.constantFrom('', ...sessionIds),
    userId: fc.constantFrom('', '', ...userIds),
  })
  .map(
    ({ parent, isRemote, isCall, tokens, costUsd, responseId, sessionId, userId, ...fields }) => ({
      ...fields,
      parentSpanId: parent === fields.spanId ? '' : parent,
      flags: isRemote ? 0x300 : 0,
      attributes: {
        'gen_ai.operation.name': isCall ? 'chat' : 'invoke_agent',
        'gen_ai.usage.input_tokens': tokens,
        'gen_ai.usage.output_tokens': tokens / 2n,
        'gen_ai.response.id': responseId,
        'operation.cost': costUsd,
        'session.id': sessionId,
        'user.id': userId,
      },
    }),
  )

/** Requests with a cycle of spans, in one request or in one each. */
const cycle = fc
  .tuple(
    fc.constantFrom('6'.repeat(32), '7'.repeat(32)),
    fc.array(span, { minLength: 2, maxLength: 4 }),
    fc.boolean(),
  )
  .map(([traceId, drawn, isSplit]): TestSpan[][] => {
    const idOf = (index: number) => spanIds[index % drawn.length] ?? ''
    const spans = drawn.map((each, index) => {
      return { ...each, traceId, spanId: idOf(index), parentSpanId: idOf(index + 1), flags: 0 }
    })
    return isSplit ? spans.map((each) => [each]) : [spans]
  })
const plain = fc
  .array(span, { minLength: 1, maxLength: 6 })
  .map((request): TestSpan[][] => [request])
/** Requests to the ingest, as lists of spans. */
export const requests = fc
  .array(fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: cycle }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((drawn) => drawn.flat())

const minutes = fc.constantFrom(0, 1, 30, 59, 60, 61, 90, 120, 121, 301)
/** Twenty days earlier, for a range of most of the retention, which has other queries. */
const LONG_BEFORE = -20 * 1440
/** A query: its range and interval in minutes, and whether the grace time of spans is over. */
export const query = fc
  .record({
    range: fc
      .tuple(fc.oneof(minutes, fc.constant(LONG_BEFORE)), minutes)
      .filter(([start, end]) => start < end),
    isSettled: fc.boolean(),
    interval: fc.constantFrom(1, 7, 60, 1440),
  })
  .map((drawn) => (drawn.range[0] === LONG_BEFORE ? { ...drawn, interval: 1440 } : drawn))
