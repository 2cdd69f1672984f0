import fc from 'fast-check'
import { expect, test } from 'vitest'

import { usageOf, type UsageSpan } from './trace-usage.ts'

const span = (spanId: string, parentSpanId: string, changes: Partial<UsageSpan>): UsageSpan => ({
  spanId,
  parentSpanId,
  startTimeNs: 0n,
  durationNs: 0n,
  type: '',
  responseKey: '0',
  inputTokens: 0n,
  outputTokens: 0n,
  totalInputTokens: 0n,
  totalOutputTokens: 0n,
  costNanoUsd: 0n,
  totalCostNanoUsd: 0n,
  cachedTokens: 0n,
  reasoningTokens: 0n,
  ...changes,
})
const PRICE = 3n
const call = (inputTokens: bigint, responseKey = '0') => ({
  inputTokens,
  responseKey,
  costNanoUsd: inputTokens * PRICE,
})
const cost = (costNanoUsd: bigint) => ({ costNanoUsd, type: 'model' })
const total = (totalInputTokens: bigint) => ({
  totalInputTokens,
  totalCostNanoUsd: totalInputTokens * PRICE,
})

test.each<[string, bigint, readonly UsageSpan[]]>([
  ['of calls', 3n, [span('a', '', call(1n)), span('b', '', call(2n))]],
  ['of the outer call', 7n, [span('a', '', call(7n)), span('b', 'a', call(6n))]],
  [
    'of a call inside of a span without tokens',
    7n,
    [span('a', '', {}), span('b', 'a', call(7n)), span('c', '', total(9n))],
  ],
  ['of one response', 5n, [span('a', '', call(5n, '8')), span('b', '', call(5n, '8'))]],
  [
    'of two calls whose responses have the same id by chance',
    600n,
    [
      span('a', '', { ...call(100n, '8'), durationNs: 1n }),
      span('b', '', { ...call(500n, '8'), startTimeNs: 5n, durationNs: 1n }),
    ],
  ],
  [
    'of one response that is reported again afterwards',
    100n,
    [
      span('a', '', { ...call(100n, '8'), durationNs: 1n }),
      span('b', '', { ...call(100n, '8'), startTimeNs: 5n }),
    ],
  ],
  [
    'of one response that is reported with other tokens meanwhile',
    100n,
    [
      span('a', '', { ...call(100n, '8'), durationNs: 9n }),
      span('b', '', { ...call(90n, '8'), startTimeNs: 5n, durationNs: 9n }),
      span('c', '', { ...call(80n, '8'), startTimeNs: 12n }),
    ],
  ],
  [
    'of reports that two others join',
    101n,
    [
      span('a', '', call(100n, '8')),
      span('b', '', { ...call(1n, '8'), startTimeNs: 2n }),
      span('c', '', { ...call(100n, '8'), startTimeNs: 5n, durationNs: 1n }),
      span('d', '', { ...call(7n, '8'), startTimeNs: 6n }),
    ],
  ],
  [
    'of the outermost totals',
    12n,
    [
      span('a', '', total(9n)),
      span('b', 'a', {}),
      span('c', 'b', total(4n)),
      span('d', '', total(3n)),
    ],
  ],
  [
    'of the outer call of three',
    7n,
    [
      span('a', '', call(7n)),
      span('b', 'a', { ...total(6n), type: 'model' }),
      span('c', 'b', call(5n)),
    ],
  ],
  ['of a total on a cycle', 4n, [span('a', 'b', total(4n)), span('b', 'a', {})]],
  ['of calls on a cycle', 3n, [span('a', 'b', call(1n)), span('b', 'a', call(2n))]],
  ['of nothing', 0n, []],
])('counts the tokens %s, and their cost, once', (_, expected, spans) => {
  expect(usageOf(spans)).toMatchObject({
    inputTokens: expected,
    costNanoUsd: expected * PRICE,
  })
})

test.each<[string, bigint, readonly UsageSpan[]]>([
  ['of calls that report no tokens', 5n, [span('a', '', cost(2n)), span('b', '', cost(3n))]],
  ['of an agent that reports no tokens', 4n, [span('a', '', { totalCostNanoUsd: 4n })]],
  [
    'of the call inside of one without a cost',
    3n,
    [span('a', '', { ...call(7n), costNanoUsd: 0n }), span('b', 'a', call(1n))],
  ],
  [
    'of the outer call, once',
    2n,
    [span('a', '', cost(2n)), span('b', 'a', { ...call(9n), costNanoUsd: 2n })],
  ],
  [
    'of one response that two calls report, the first without a cost',
    6n,
    [span('a', '', { inputTokens: 2n, responseKey: '8' }), span('b', '', call(2n, '8'))],
  ],
  [
    'of an agent whose calls have none',
    8n,
    [span('a', '', { totalCostNanoUsd: 8n }), span('b', 'a', { inputTokens: 2n })],
  ],
])('counts the cost %s', (_, expected, spans) => {
  expect(usageOf(spans).costNanoUsd).toBe(expected)
})

test('a cost without tokens does not hide the tokens inside of it', () => {
  const spans = [span('a', '', cost(2n)), span('b', 'a', { inputTokens: 9n })]
  expect(usageOf(spans)).toMatchObject({ inputTokens: 9n, costNanoUsd: 2n })
})

const ids = ['a', 'b', 'c', 'd', 'e', 'f']
const spans = fc
  .uniqueArray(
    fc.record({
      spanId: fc.constantFrom(...ids),
      parentSpanId: fc.constantFrom('', ...ids),
      startTimeNs: fc.constantFrom(0n, 1n, 5n),
      durationNs: fc.constantFrom(0n, 1n, 4n),
      usage: fc.constantFrom({}, call(1n), call(10n, '7'), call(100n, '7'), cost(5n), total(1000n)),
    }),
    { selector: ({ spanId }) => spanId },
  )
  .map((drawn) =>
    drawn.map(({ usage, spanId, parentSpanId, ...rest }) =>
      span(spanId, parentSpanId, { ...rest, ...usage }),
    ),
  )

test('does not depend on the order of the spans', () => {
  fc.assert(
    fc.property(
      spans.chain((drawn) =>
        fc.tuple(fc.constant(drawn), fc.shuffledSubarray(drawn, { minLength: drawn.length })),
      ),
      ([drawn, shuffled]) => {
        expect(usageOf(shuffled)).toEqual(usageOf(drawn))
      },
    ),
  )
})
