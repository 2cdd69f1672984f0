/** Most spans of one request. */
export const MAX_SPANS = 20_000
/**
 * Most attributes, events and links of one span, each. More than `ATTRIBUTE_LIMITS` keeps, but
 * still a span.
 */
export const MAX_CHILDREN = 1_024
/** Most values within one span, at any depth. */
export const MAX_SPAN_VALUES = 16_384
/** Most messages inside each other within one span. */
export const MAX_SPAN_DEPTH = 64

/**
 * A span that is rejected before it is looked at as one. The reason is one of a few, since they are
 * counted by it.
 */
export class UnreadableSpan {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** Reasons why spans are unreadable. */
export const UNREADABLE = {
  noSpan: 'the span can not be read',
  notUtf8: 'a text of the span is not UTF-8',
  tooManyChildren: `the span has more than ${MAX_CHILDREN} attributes, events or links`,
  tooManyValues: `the span has more than ${MAX_SPAN_VALUES} values`,
  tooDeep: `the span has more than ${MAX_SPAN_DEPTH} values inside each other`,
} as const
