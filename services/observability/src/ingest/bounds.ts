/** Maximum number of spans in one request. */
export const MAX_SPANS = 20_000
/**
 * Maximum number of attributes, of events and of links of one span. A span with more than
 * `ATTRIBUTE_LIMITS` is stored with fewer attributes; a span with more than this is rejected.
 */
export const MAX_CHILDREN = 1_024
/** Maximum number of values in one span, at any depth. */
export const MAX_SPAN_VALUES = 16_384
/** Maximum nesting of messages in one span. */
export const MAX_SPAN_DEPTH = 64
