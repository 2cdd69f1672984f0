import { MAX_CHILDREN, MAX_SPAN_DEPTH, MAX_SPAN_VALUES } from './bounds.ts'

/**
 * Represents a span that was rejected before it was decoded. Rejections are counted by reason, so
 * the reason is one of `UNREADABLE`.
 */
export class UnreadableSpan {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** Why a span is unreadable. */
export const UNREADABLE = {
  malformed: 'the span cannot be decoded',
  notUtf8: 'a string in the span is not valid UTF-8',
  tooManyChildren: `the span has more than ${MAX_CHILDREN} attributes, events or links`,
  tooManyValues: `the span has more than ${MAX_SPAN_VALUES} values`,
  tooDeep: `the span is nested more than ${MAX_SPAN_DEPTH} levels deep`,
} as const
