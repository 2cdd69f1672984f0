/** The most spans in one request. */
export const MAX_SPANS = 20_000
/**
 * The most attributes, events and links (each) of one span. A span with more than
 * `ATTRIBUTE_LIMITS` is stored with fewer attributes; a span with more than this is rejected.
 */
export const MAX_CHILDREN = 1_024
/** The most values in one span, at any depth. */
export const MAX_SPAN_VALUES = 16_384
/** The deepest nesting of messages in one span. */
export const MAX_SPAN_DEPTH = 64
