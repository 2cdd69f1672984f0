import { create } from '@bufbuild/protobuf'
import { timestampDate, TimestampSchema, type Timestamp } from '@bufbuild/protobuf/wkt'

import { HttpProblem } from './problem.ts'

/** A time as the API writes it: RFC 3339 in UTC with milliseconds. */
export function toTimeText(time: Timestamp | undefined): string {
  return (time === undefined ? new Date(0) : timestampDate(time)).toISOString()
}

/**
 * Reads a time parameter to the nanosecond; further digits don't count. The error names it. Leap
 * seconds are no times here; which years are, the service says.
 */
export function fromTimeText(name: string, text: string | undefined): Timestamp | undefined {
  if (text === undefined) return undefined
  // A Date would drop what is smaller than a millisecond.
  const seconds = Date.parse(text.replace(FRACTION, '')) / 1000
  if (Number.isNaN(seconds)) {
    throw new HttpProblem(400, 'invalid_argument', `${name} is no time`, {
      validationErrors: [`${name}: must be a time as in RFC 3339`],
    })
  }
  const digits = FRACTION.exec(text)?.[1] ?? ''
  return create(TimestampSchema, {
    seconds: BigInt(seconds),
    nanos: Number(digits.slice(0, 9).padEnd(9, '0')),
  })
}

const FRACTION = /\.(\d+)/
