import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Attributes } from '@opentelemetry/api'

/** A span of this process that has begun. */
export interface OpenSpan {
  /** W3C trace context for whatever is done in it. */
  readonly traceparent: string
  /** Ends it; with a text when it went wrong. */
  end(attributes: Attributes, failure?: string): void
}

/** What a span is about. */
export interface SpanStart {
  readonly kind: 'server' | 'client' | 'consumer'
  readonly name: string
  /** Trace context of what led to it; anything else than a W3C traceparent begins a new trace. */
  readonly traceparent: string | null | undefined
  readonly attributes?: Attributes
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const

let tracing = false

/** Whether spans are recorded from now on. */
export function setTracing(value: boolean): void {
  tracing = value
}

/** Whether spans are recorded. */
export function isTracing(): boolean {
  return tracing
}

/** Begins a span; undefined when tracing is off, which costs nothing more than asking. */
export function openSpan({
  kind,
  name,
  traceparent,
  attributes = {},
}: SpanStart): OpenSpan | undefined {
  if (!tracing) return undefined
  const span = trace
    .getTracer('slipway')
    .startSpan(name, { kind: KINDS[kind], attributes }, remoteContext(traceparent))
  const { traceId, spanId, traceFlags } = span.spanContext()
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    end(endAttributes, failure) {
      span.setAttributes(endAttributes)
      if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure })
      span.end()
    },
  }
}

/** https://www.w3.org/TR/trace-context/#traceparent-header */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

function remoteContext(traceparent: string | null | undefined) {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags ?? '01', 16),
    isRemote: true,
  })
}
