import type { Span } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'

/** A span of a request. */
export interface DecodedSpan {
  readonly span: Span
  /** The name of the instrumentation that created it. */
  readonly scope: string
  readonly removed: Removed
}

/** How many attributes and events of a span were removed because it was too large to decode. */
export interface Removed {
  readonly attributes: number
  readonly events: number
}

/** Nothing was removed. */
export const NOTHING_REMOVED: Removed = { attributes: 0, events: 0 }
