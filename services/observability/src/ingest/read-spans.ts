import { Status_StatusCode, type Span } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'

import { RootRank, type StoredSpan } from '../domain/span.ts'
import { cutToBytes } from '../domain/text.ts'
import { attributesToJson, toAttributes, type Attributes } from './attribute-value.ts'
import { readGenAiFacts } from './gen-ai.ts'

/** Within which times a span must have begun and ended. */
export interface TimeWindow {
  readonly oldestNs: bigint
  readonly newestNs: bigint
}

const MAX_NAME_BYTES = 256
const MAX_STATUS_BYTES = 512
const MAX_EVENTS = 32
const TRACE_ID_BYTES = 16
const SPAN_ID_BYTES = 8
/** Bits of SpanFlags: whether it is known that the parent is remote, and whether it is. */
const REMOTE_PARENT = 0x300

/** Why a span can't be stored; undefined when it can. */
export function findProblem(span: Span, { oldestNs, newestNs }: TimeWindow): string | undefined {
  if (!isId(span.traceId, TRACE_ID_BYTES))
    return 'trace_id is not 16 bytes with one that is not zero'
  if (!isId(span.spanId, SPAN_ID_BYTES)) return 'span_id is not 8 bytes with one that is not zero'
  const { parentSpanId } = span
  if (parentSpanId.length !== 0 && parentSpanId.length !== SPAN_ID_BYTES)
    return 'parent_span_id is not 8 bytes'
  if (Buffer.compare(parentSpanId, span.spanId) === 0) return 'the span is its own parent'
  if (span.startTimeUnixNano < oldestNs) return 'the span is older than traces are kept'
  if (span.startTimeUnixNano > newestNs) return 'the span begins in the future'
  if (span.endTimeUnixNano < span.startTimeUnixNano) return 'the span ends before it begins'
  if (span.endTimeUnixNano > newestNs) return 'the span ends in the future'
  return undefined
}

/**
 * A span as it is stored, but that its parent counts as unknown unless it is remote: see
 * `resolveParents`. What it says about who it belongs to is of no account here.
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
 * Marks the spans whose parent is among them: those will never be the root of their trace. Spans
 * that are each other's parents stay unmarked, since one of them will have to be.
 */
export function resolveParents(spans: readonly StoredSpan[]): readonly StoredSpan[] {
  const parents = new Map(
    spans.map(({ traceId, spanId, parentSpanId }) => [traceId + spanId, traceId + parentSpanId]),
  )
  const rings = findRings(parents)
  return spans.map((span) => {
    const { rootRank, traceId, spanId, parentSpanId } = span
    const isKnown = parents.has(traceId + parentSpanId) && !rings.has(traceId + spanId)
    return rootRank === RootRank.UnknownParent && isKnown
      ? { ...span, rootRank: RootRank.KnownParent }
      : span
  })
}

/** Those that come back to themselves on their way up. Each is passed once. */
function findRings(parents: ReadonlyMap<string, string>): ReadonlySet<string> {
  const walkOf = new Map<string, string>()
  const rings = new Set<string>()
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
    for (; !rings.has(at); at = parents.get(at) ?? at) rings.add(at)
  }
  return rings
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
  const written = events.map(
    ({ timeNs, name, attributes }) =>
      `{"time_ns":"${timeNs}","name":${JSON.stringify(name)},"attributes":${attributesToJson(attributes)}}`,
  )
  return `[${written.join(',')}]`
}

function isId(bytes: Uint8Array, length: number): boolean {
  return bytes.length === length && bytes.some((byte) => byte !== 0)
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
}
