import type { Recording } from '@slipway/testing/recordings'

import { mergeMessages } from '../../src/domain/span-messages.ts'
import type { StoredSpan } from '../../src/domain/span.ts'
import type { StoredLog } from '../../src/domain/stored-log.ts'
import type { TraceSpan } from '../../src/domain/trace-tree.ts'
import { logsInJson, logsInProtobuf } from '../../src/ingest/logs/sent-logs.ts'
import { toStoredLog } from '../../src/ingest/logs/read-logs.ts'
import { spansInJson } from '../../src/ingest/decode/otlp-json.ts'
import { spansInProtobuf } from '../../src/ingest/decode/otlp-protobuf.ts'
import { toStoredSpan } from '../../src/ingest/spans/read-spans.ts'
import { resolveSpans } from '../../src/ingest/spans/resolve-spans.ts'
import { builtInPrices } from '../../src/prices/model-prices.ts'

/** Returns the traces of a recording by start, with their spans by start. */
export function tracesIn(recording: Recording) {
  return toTraces(spansIn(recording))
}

/** Returns the same, with what the log records of the spans lend to them. */
export function loggedTracesIn(recording: Recording) {
  const logs = recording.requests
    .filter(({ path }) => path === '/v1/logs')
    .flatMap(({ contentType, body }) => [
      ...(contentType.includes('json') ? logsInJson(body, () => {}) : logsInProtobuf(body)),
    ])
    .flatMap((log) => (log !== undefined && 'log' in log ? toStoredLog(log, 0n) : []))
  return toTraces(spansIn(recording).map((span) => withLogs(span, logs)))
}

function spansIn({ requests }: Recording): readonly StoredSpan[] {
  return requests
    .filter(({ path }) => path === '/v1/traces')
    .flatMap(({ contentType, body }) => {
      const decoded = contentType.includes('json')
        ? spansInJson(body, () => {})
        : spansInProtobuf(body)
      return resolveSpans(
        [...decoded].flatMap((each) =>
          'span' in each ? toStoredSpan(each, builtInPrices, { newestNs: 2n ** 63n }) : [],
        ),
      )
    })
    .toSorted((a, b) => (a.startTimeNs < b.startTimeNs ? -1 : 1))
}

/** Leaves out the traces in which no agent did anything: some programs trace their own start. */
function toTraces(spans: readonly StoredSpan[]) {
  return [...Map.groupBy(spans, ({ traceId }) => traceId)]
    .filter(([, own]) => own.some(({ type }) => type !== ''))
    .map(([traceId, own]) => ({ traceId, spans: own.map((span) => toTraceSpan(span, own)) }))
}

/** Lends the last input and output of a span's log records, as the queries do. */
function withLogs(span: StoredSpan, logs: readonly StoredLog[]): StoredSpan {
  const own = logs
    .filter(({ traceId, spanId }) => traceId === span.traceId && spanId === span.spanId)
    .toSorted((a, b) => (a.timeNs < b.timeNs ? -1 : 1))
  const first = (field: 'sessionId' | 'userId') =>
    own.find((log) => log[field] !== '')?.[field] ?? ''
  const last = (field: 'input' | 'output') =>
    own.findLast((log) => log[field] !== '')?.[field] ?? ''
  const messages = span.messages || mergeMessages(own.map((log) => log.messages))
  return {
    ...span,
    messages,
    input: span.input || last('input'),
    output: span.output || last('output'),
    sessionId: span.sessionId || first('sessionId'),
    userId: span.userId || first('userId'),
  }
}

function toTraceSpan(span: StoredSpan, spans: readonly StoredSpan[]): TraceSpan {
  return {
    ...span,
    hasParent: spans.some(({ spanId }) => spanId === span.parentSpanId),
    version: 0,
    buildId: '',
    responseKey: span.responseId || '0',
  }
}
