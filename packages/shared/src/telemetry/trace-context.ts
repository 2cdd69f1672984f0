import { randomFillSync } from 'node:crypto'

import { defaultTextMapGetter, ROOT_CONTEXT, trace, type SpanContext } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'

/** A request's position in its trace: the values of the W3C headers with these names. */
export interface TraceContext {
  readonly traceparent: string
  /** Data of tracing vendors; empty if there is none. */
  readonly tracestate: string
}

/** Trace headers as they were received. */
export type TraceHeaders = { readonly [Name in keyof TraceContext]?: string | null | undefined }

/**
 * The usual form of https://www.w3.org/TR/trace-context/#traceparent-header. Nearly every header
 * has it, and the propagator takes several times as long.
 */
const USUAL = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-(0[0-3])$/
/** Sampled, and random trace id. Other bits of future versions must not be passed on. */
const KNOWN_FLAGS = 0b11

const propagator = new W3CTraceContextPropagator()

/**
 * Continues the caller's trace with a new span id; starts a new trace if the headers are invalid.
 */
export function continueTrace(headers: TraceHeaders): TraceContext {
  const usual = headers.tracestate ? null : USUAL.exec(headers.traceparent ?? '')
  if (usual !== null)
    return { traceparent: `00-${usual[1]}-${randomHex(8)}-${usual[3]}`, tracestate: '' }
  const parent = parentOf(headers)
  const traceId = parent?.traceId ?? randomHex(16)
  const traceparent = `00-${traceId}-${randomHex(8)}-${flagsText(parent?.traceFlags ?? 1)}`
  return { traceparent, tracestate: parent?.traceState?.serialize() ?? '' }
}

/** The trace context of a span of this process. */
export function traceContextOf({
  traceId,
  spanId,
  traceFlags,
  traceState,
}: SpanContext): TraceContext {
  return {
    traceparent: `00-${traceId}-${spanId}-${flagsText(traceFlags)}`,
    tracestate: traceState?.serialize() ?? '',
  }
}

/** The caller's span; undefined if the headers contain none. */
export function parentOf({ traceparent, tracestate }: TraceHeaders): SpanContext | undefined {
  if (!traceparent) return undefined
  const carrier = { traceparent, ...(tracestate && { tracestate }) }
  return trace.getSpanContext(propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter))
}

/** The headers that carry a trace context. */
export function traceHeaders({ traceparent, tracestate }: TraceContext): Record<string, string> {
  return tracestate === '' ? { traceparent } : { traceparent, tracestate }
}

/** The trace id of a `traceparent` that this module made. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35)
}

function flagsText(flags: number): string {
  return `0${flags & KNOWN_FLAGS}`
}

/** Random bytes are generated in bulk, because a few cost as much as many. */
const RANDOM_POOL = Buffer.alloc(4096)
let randomAt = RANDOM_POOL.length

function randomHex(bytes: number): string {
  if (randomAt + bytes > RANDOM_POOL.length) {
    randomFillSync(RANDOM_POOL)
    randomAt = 0
  }
  randomAt += bytes
  return RANDOM_POOL.toString('hex', randomAt - bytes, randomAt)
}
