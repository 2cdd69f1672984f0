import { create } from '@bufbuild/protobuf'
import { timestampDate, TimestampSchema, type Timestamp } from '@bufbuild/protobuf/wkt'

import { HttpProblem } from '../problem.ts'

/** Formats a time as in all responses: RFC 3339 in UTC with milliseconds. */
export function toTimeText(time: Timestamp | undefined): string {
  return (time === undefined ? new Date(0) : timestampDate(time)).toISOString()
}

/** The validation message for a parameter that isn't a date-time. */
export const RFC_3339_MESSAGE = 'must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z'

const FRACTION = /\.(\d+)/

/**
 * Parses a time parameter to the nanosecond; further digits are ignored. Throws a 400 with the
 * parameter's name if it isn't a valid time. Leap seconds are rejected; the service checks the
 * range.
 */
export function fromTimeText(name: string, text: string | undefined): Timestamp | undefined {
  if (text === undefined) return undefined
  // A Date would truncate the time to milliseconds.
  const seconds = Date.parse(text.replace(FRACTION, '')) / 1000
  if (Number.isNaN(seconds)) {
    throw new HttpProblem(400, 'invalid_argument', `${name} is not a valid time`, {
      validationErrors: [`${name}: ${RFC_3339_MESSAGE}`],
    })
  }
  const digits = FRACTION.exec(text)?.[1] ?? ''
  return create(TimestampSchema, {
    seconds: BigInt(seconds),
    nanos: Number(digits.slice(0, 9).padEnd(9, '0')),
  })
}
