import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Attributes } from '@opentelemetry/api'

import { parentOf, traceContextOf, type TraceContext, type TraceHeaders } from './trace-context.ts'

/** A span of this process that has started. */
export interface OpenSpan extends TraceContext {
  /** Ends the span. `failure` describes what failed, if anything did. */
  end(attributes: Attributes, failure?: string): void
}

export interface SpanStart {
  readonly kind: 'server' | 'client' | 'consumer'
  readonly name: string
  /** The span that caused it; invalid headers start a new trace. */
  readonly parent: TraceHeaders
  readonly attributes?: Attributes
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const

let tracing = false

/** Switches the recording of spans on or off. */
export function setTracing(value: boolean): void {
  tracing = value
}

export function isTracing(): boolean {
  return tracing
}

/** Starts a span; undefined when tracing is off. */
export function openSpan({ kind, name, parent, attributes = {} }: SpanStart): OpenSpan | undefined {
  if (!tracing) return undefined
  const remote = parentOf(parent)
  const context = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT
  const span = trace
    .getTracer('slipway')
    .startSpan(name, { kind: KINDS[kind], attributes }, context)
  return {
    ...traceContextOf(span.spanContext()),
    end(endAttributes, failure) {
      span.setAttributes(endAttributes)
      if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure })
      span.end()
    },
  }
}
