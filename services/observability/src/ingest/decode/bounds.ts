/** Maximum number of spans in one request. */
export const MAX_SPANS = 20_000
/** Maximum number of fields outside of a request's records. */
export const MAX_OUTER_FIELDS = 8 * MAX_SPANS
/**
 * Maximum number of attributes and of events of one span that are read. The others are removed and
 * counted. `ATTRIBUTE_LIMITS` has how many of them are stored.
 */
export const MAX_CHILDREN = 1_024
/** Maximum number of values in one span, at any depth. A span with more loses children. */
export const MAX_SPAN_VALUES = 16_384
/** A span or log record with more fields, at any depth, is rejected: it would block others. */
export const MAX_FIELDS = 200_000
/** Maximum nesting of messages in one span. Deeper attributes are removed. */
export const MAX_SPAN_DEPTH = 64
/** Deeper messages aren't decoded. One step beyond the maximum shows what is nested too deeply. */
export const READ_DEPTH = MAX_SPAN_DEPTH + 3
/** Maximum length of the name of a scope; the rest is ignored. */
export const MAX_SCOPE_BYTES = 256
