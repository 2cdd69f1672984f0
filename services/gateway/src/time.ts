import { timestampDate, timestampFromDate, type Timestamp } from '@bufbuild/protobuf/wkt'

import { HttpProblem } from './problem.ts'

/** A time as the API writes it: RFC 3339 in UTC with milliseconds. */
export function toTimeText(time: Timestamp | undefined): string {
  return (time === undefined ? new Date(0) : timestampDate(time)).toISOString()
}

/** Reads a time parameter; the error names it. Leap seconds are no times here; which years are, the service says. */
export function fromTimeText(name: string, text: string | undefined): Timestamp | undefined {
  if (text === undefined) return undefined
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) {
    throw new HttpProblem(400, 'invalid_argument', `${name} is no time`, {
      validationErrors: [`${name}: must be a time as in RFC 3339`],
    })
  }
  return timestampFromDate(date)
}
