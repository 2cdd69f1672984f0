import { Status_StatusCode, type Span } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'

import { RootRank, type StoredSpan } from '../domain/span.ts'
import { cutToBytes } from '../domain/text.ts'
import { attributesToJson, toAttributes, type Attributes } from './attribute-value.ts'
import { readGenAiFacts } from './gen-ai.ts'

/** The earliest start and the latest end of a span. */
export interface TimeWindow {
  readonly oldestNs: bigint
  readonly newestNs: bigint
}

const MAX_NAME_BYTES = 256
const MAX_STATUS_BYTES = 512
const MAX_EVENTS = 32
const TRACE_ID_BYTES = 16
const SPAN_ID_BYTES = 8
/** SpanFlags: HAS_IS_REMOTE and IS_REMOTE, both set for a remote parent. */
const REMOTE_PARENT = 0x300

/** Returns why a span can't be stored; undefined if it can. */
export function findProblem(span: Span, { oldestNs, newestNs }: TimeWindow): string | undefined {
  if (!isId(span.traceId, TRACE_ID_BYTES)) return 'trace_id must be 16 bytes, not all zero'
  if (!isId(span.spanId, SPAN_ID_BYTES)) return 'span_id must be 8 bytes, not all zero'
  const { parentSpanId } = span
  if (parentSpanId.length !== 0 && parentSpanId.length !== SPAN_ID_BYTES)
    return 'parent_span_id must be 8 bytes'
  if (Buffer.compare(parentSpanId, span.spanId) === 0) return 'the span is its own parent'
  if (span.startTimeUnixNano < oldestNs) return 'the span is older than the retention period'
  if (span.startTimeUnixNano > newestNs) return 'the span starts in the future'
  if (span.endTimeUnixNano < span.startTimeUnixNano) return 'the span ends before it starts'
  if (span.endTimeUnixNano > newestNs) return 'the span ends in the future'
  return undefined
}

/**
 * Converts a span to its stored form. Marks its parent remote or unknown; `resolveParents` marks
 * known parents. Ignores the span's own claims about its owner.
 */
export function toStoredSpan(span: Span): StoredSpan {
  const attributes = toAttributes(span.attributes)
  const events = span.events.slice(0, MAX_EVENTS).map((event) => ({
    timeNs: event.timeUnixNano,
    name: cutToBytes(event.name, MAX_NAME_BYTES),
    attributes: toAttributes(event.attributes),
  }))
  const parentSpanId = isId(span.parentSpanId, SPAN_ID_BYTES) ? hex(span.parentSpanId) : ''
  return {
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    parentSpanId,
    rootRank: rankOf(span, parentSpanId),
    startTimeNs: span.startTimeUnixNano,
    durationNs: span.endTimeUnixNano - span.startTimeUnixNano,
    name: cutToBytes(span.name, MAX_NAME_BYTES),
    kind: span.kind >= 0 && span.kind <= 5 ? span.kind : 0,
    isError: span.status?.code === Status_StatusCode.ERROR,
    statusMessage: cutToBytes(span.status?.message ?? '', MAX_STATUS_BYTES),
    ...readGenAiFacts(
      attributes,
      events.map((event) => event.attributes),
    ),
    attributes: attributesToJson(attributes),
    events: eventsToJson(events),
  }
}

/**
 * Marks the spans whose parent is in `spans`, because they can't be the root of their trace. Spans
 * on a cycle of parents stay unmarked, because one of them must be the root.
 */
export function resolveParents(spans: readonly StoredSpan[]): readonly StoredSpan[] {
  const parents = new Map(
    spans.map(({ traceId, spanId, parentSpanId }) => [traceId + spanId, traceId + parentSpanId]),
  )
  const cycles = findCycles(parents)
  return spans.map((span) => {
    const { rootRank, traceId, spanId, parentSpanId } = span
    const isKnown = parents.has(traceId + parentSpanId) && !cycles.has(traceId + spanId)
    return rootRank === RootRank.UnknownParent && isKnown
      ? { ...span, rootRank: RootRank.KnownParent }
      : span
  })
}

/** Returns the spans that are their own ancestors. Visits each span once. */
function findCycles(parents: ReadonlyMap<string, string>): ReadonlySet<string> {
  const walkOf = new Map<string, string>()
  const cycles = new Set<string>()
  for (const start of parents.keys()) {
    let at = start
    for (
      let next = parents.get(at);
      next !== undefined && !walkOf.has(at);
      next = parents.get(at)
    ) {
      walkOf.set(at, start)
      at = next
    }
    if (walkOf.get(at) !== start) continue
    for (; !cycles.has(at); at = parents.get(at) ?? at) cycles.add(at)
  }
  return cycles
}

function rankOf(span: Span, parentSpanId: string): RootRank {
  if (parentSpanId === '') return RootRank.NoParent
  return (span.flags & REMOTE_PARENT) === REMOTE_PARENT
    ? RootRank.RemoteParent
    : RootRank.UnknownParent
}

function eventsToJson(
  events: readonly { timeNs: bigint; name: string; attributes: Attributes }[],
): string {
  if (events.length === 0) return '[]'
  const objects = events.map(
    ({ timeNs, name, attributes }) =>
      `{"time_ns":"${timeNs}","name":${JSON.stringify(name)},` +
      `"attributes":${attributesToJson(attributes)}}`,
  )
  return `[${objects.join(',')}]`
}

function isId(bytes: Uint8Array, length: number): boolean {
  return bytes.length === length && bytes.some((byte) => byte !== 0)
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
}
