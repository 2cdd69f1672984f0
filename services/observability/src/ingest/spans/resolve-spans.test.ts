import { Span_SpanKind } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { RootRank, type StoredSpan } from '../../domain/span.ts'
import { usageOf, type UsageSpan } from '../../domain/trace-usage.ts'
import { resolveSpans } from './resolve-spans.ts'

const ids = ['a', 'b', 'c', 'd', 'e', 'f']
type Tokens = Pick<
  StoredSpan,
  'type' | 'inputTokens' | 'totalInputTokens' | 'responseId' | 'costNanoUsd'
>
const nothing: Tokens = {
  type: '',
  inputTokens: 0n,
  totalInputTokens: 0n,
  responseId: '',
  costNanoUsd: 0n,
}
const call = (inputTokens: bigint, responseId = '', costNanoUsd = 0n): Tokens => {
  return { ...nothing, type: 'model', inputTokens, responseId, costNanoUsd }
}

/** A trace whose spans each have one of those before as their parent, in up to three requests. */
const requests = fc
  .array(
    fc.record({
      parent: fc.nat(),
      startTimeNs: fc.constantFrom(0n, 1n, 2n),
      durationNs: fc.constantFrom(0n, 1n, 9n),
      request: fc.nat(2),
      tokens: fc.constantFrom<Tokens>(
        nothing,
        { ...nothing, type: 'agent', totalInputTokens: 1000n },
        call(1n),
        call(10n, '7'),
        call(100n, '7'),
        call(0n, '', 2n),
        call(3n, '7', 20n),
        call(30n, '', 200n),
      ),
    }),
    { minLength: 1, maxLength: ids.length },
  )
  .map((drawn) =>
    drawn.map(({ parent, startTimeNs, durationNs, request, tokens }, index) => ({
      request,
      span: {
        traceId: 't',
        spanId: ids[index] ?? '',
        parentSpanId: index === 0 ? '' : (ids[parent % index] ?? ''),
        rootRank: RootRank.UnknownParent,
        startTimeNs,
        durationNs,
        isFailedRun: false,
        outputTokens: 0n,
        totalOutputTokens: 0n,
        cachedTokens: 0n,
        reasoningTokens: 0n,
        totalCostNanoUsd: 0n,
        ...tokens,
      } as StoredSpan,
    })),
  )

function countedIn(spans: readonly StoredSpan[]) {
  const reported = spans.map((span): UsageSpan => ({
    ...span,
    responseKey: span.responseId || '0',
  }))
  const { inputTokens, costNanoUsd } = usageOf(reported)
  return { inputTokens, costNanoUsd }
}

test.each([
  ['agent', Span_SpanKind.INTERNAL, false],
  ['', Span_SpanKind.CONSUMER, true],
] as const)('a run with a failed %j span of kind %d in a tool failed: %s', (...row) => {
  const [type, kind, isFailedRun] = row
  const tool = { traceId: 't', spanId: 'a', parentSpanId: '', type: 'tool', responseId: '' }
  const failed = { ...tool, spanId: 'b', parentSpanId: 'a', type, kind, isFailedRun: true }
  const [, resolved] = resolveSpans([tool as StoredSpan, failed as StoredSpan])
  expect(resolved?.isFailedRun).toBe(isFailedRun)
})

test('the usage of a trace does not depend on which spans are in the same request', () => {
  fc.assert(
    fc.property(requests, (sent) => {
      const split = Map.groupBy(sent, ({ request }) => request)
      const stored = [...split.values()].flatMap((each) =>
        resolveSpans(each.map(({ span }) => span)),
      )
      expect(countedIn(stored)).toEqual(countedIn(sent.map(({ span }) => span)))
    }),
  )
})
