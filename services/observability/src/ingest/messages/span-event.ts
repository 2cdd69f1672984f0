import type { Attributes } from '../decode/attribute-value.ts'

export interface SpanEvent {
  readonly timeNs: bigint
  readonly name: string
  readonly attributes: Attributes
}
