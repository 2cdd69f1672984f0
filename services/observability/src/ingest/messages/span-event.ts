import type { Attributes } from '../decode/attribute-value.ts'

/** An event of a span. */
export interface SpanEvent {
  readonly timeNs: bigint
  readonly name: string
  readonly attributes: Attributes
}
