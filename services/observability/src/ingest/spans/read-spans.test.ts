import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  Span_SpanKind,
  SpanSchema,
  Status_StatusCode,
} from '@slipway/proto/opentelemetry/proto/trace/v1/trace'
import { expect, test } from 'vitest'

import { RootRank } from '../../domain/span.ts'
import { NOTHING_REMOVED } from '../decode/decoded-record.ts'
import { findProblem, toStoredSpan } from './read-spans.ts'

const NOW = 1_000n
const window = { oldestNs: 10n, newestNs: NOW, nowNs: NOW }
const ids = { traceId: new Uint8Array(16).fill(1), spanId: new Uint8Array(8).fill(2) }

function read(init: MessageInitShape<typeof SpanSchema>) {
  const times = { startTimeUnixNano: 100n, endTimeUnixNano: 300n }
  const attributes = [
    { key: 'gen_ai.request.model', value: { value: { case: 'stringValue' as const, value: 'm' } } },
    {
      key: 'gen_ai.usage.input_tokens',
      value: { value: { case: 'intValue' as const, value: 7n } },
    },
  ]
  const span = create(SpanSchema, { ...ids, ...times, attributes, ...init })
  const stored = () =>
    toStoredSpan(
      { span, scope: '', removed: NOTHING_REMOVED },
      { costOf: () => 0n, sourceOf: () => 'prices' },
      window,
    )
  return findProblem(span, window) ?? stored()
}

test.each([
  ['ends before it starts', { endTimeUnixNano: 99n }, 100n, 0n],
  ['has no end', { endTimeUnixNano: 0n }, 100n, 0n],
  ['ends in the future', { endTimeUnixNano: NOW + 1n }, 100n, 0n],
  ['has no start', { startTimeUnixNano: 0n }, 300n, 0n],
  ['has both', {}, 100n, 200n],
])('keeps a span that %s, with its tokens', (_, times, startTimeNs, durationNs) => {
  expect(read(times)).toMatchObject({ startTimeNs, durationNs, inputTokens: 7n })
})

test.each([
  ['the span itself', ids.spanId],
  ['too short', new Uint8Array(4).fill(1)],
  ['too long', new Uint8Array(16).fill(1)],
  ['zero', new Uint8Array(8)],
])('makes a span a root whose parent is %s', (_, parentSpanId) => {
  expect(read({ parentSpanId })).toMatchObject({
    parentSpanId: '',
    rootRank: RootRank.NoParent,
    inputTokens: 7n,
  })
})

test.each([
  ['without a trace', { traceId: new Uint8Array() }, /^trace_id must/],
  ['without an id', { spanId: new Uint8Array(8) }, /^span_id must/],
  ['without a time', { startTimeUnixNano: 0n, endTimeUnixNano: 0n }, /retention/],
  ['that starts in the future', { startTimeUnixNano: NOW + 1n }, /future/],
])('rejects a span %s', (_, init, problem) => {
  expect(read(init)).toMatch(problem)
})

test.each([
  ['work of a queue', Span_SpanKind.CONSUMER, {}, true],
  ['a delivery', Span_SpanKind.CONSUMER, { 'messaging.operation.type': 'process' }, true],
  ['a receive', Span_SpanKind.CONSUMER, { 'messaging.operation.type': 'receive' }, false],
  ['an older receive', Span_SpanKind.CONSUMER, { 'messaging.operation': 'receive' }, false],
  ['a poll', Span_SpanKind.CONSUMER, { 'messaging.operation': 'poll' }, false],
  ['a call', Span_SpanKind.CLIENT, {}, false],
  ['a request', Span_SpanKind.SERVER, {}, false],
])('decides whether a run fails with %s that fails', (_, kind, operation, isFailedRun) => {
  const attributes = Object.entries(operation).map(([key, value]) => ({
    key,
    value: { value: { case: 'stringValue' as const, value } },
  }))
  const status = { code: Status_StatusCode.ERROR }
  expect(read({ kind, attributes, status })).toMatchObject({ isError: true, isFailedRun })
  expect(read({ kind, attributes })).toMatchObject({ isError: false, isFailedRun: false })
})
