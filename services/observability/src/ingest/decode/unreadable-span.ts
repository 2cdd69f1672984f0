import { MAX_FIELDS } from './bounds.ts'

/**
 * Represents a span or log record that was rejected before it was decoded. Rejections are counted
 * by reason, so the reason is one of `UNREADABLE`.
 */
export class UnreadableSpan {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** Why a record is unreadable. */
export const UNREADABLE = {
  malformed: 'the record cannot be decoded',
  tooLarge: `the record has more than ${MAX_FIELDS} fields`,
} as const
