import { MAX_FIELDS } from './bounds.ts'
import { TooManyFields } from './record-reader.ts'

/**
 * Represents a span or log record that was rejected before it was decoded. Rejections are counted
 * by reason, so the reason is one of `UNREADABLE`.
 */
export class UnreadableRecord {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

export const UNREADABLE = {
  malformed: 'the record cannot be decoded',
  tooLarge: `the record has more than ${MAX_FIELDS} fields`,
} as const

/** Returns a record that a function decodes, or why it can't be read. */
export function orUnreadable<Decoded>(decode: () => Decoded): Decoded | UnreadableRecord {
  try {
    return decode()
  } catch (error) {
    const isTooLarge = error instanceof TooManyFields
    return new UnreadableRecord(isTooLarge ? UNREADABLE.tooLarge : UNREADABLE.malformed)
  }
}
