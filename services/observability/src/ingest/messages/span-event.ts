import type { Attributes } from '../attribute-value.ts'

/** An event of a span. */
export interface SpanEvent {
  readonly timeNs: bigint
  readonly name: string
  readonly attributes: Attributes
}
