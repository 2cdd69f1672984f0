import type { LogRecord } from '@slipway/proto/opentelemetry/proto/logs/v1/logs'
import type { Span } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'

export interface DecodedSpan {
  readonly span: Span
  /** The name of the instrumentation that created it. */
  readonly scope: string
  readonly removed: Removed
}

/** A log record of a request that has content of a span. The content is one of its attributes. */
export interface DecodedLog {
  readonly log: LogRecord
  /** The name under which its event is stored. */
  readonly event: string
  readonly removed: Removed
}

/** How many attributes and events were removed from a record because it was too large. */
export interface Removed {
  readonly attributes: number
  readonly events: number
}

export const NOTHING_REMOVED: Removed = { attributes: 0, events: 0 }
