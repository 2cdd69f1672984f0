import type { FlagParametersForType } from '@stricli/core'

import type { ProcessContext } from '../process-context.ts'
import { parseTime } from './time.ts'

/** The range of time of a command. */
export interface RangeFlags {
  readonly since?: Date
  readonly until?: Date
}

export const rangeFlags: FlagParametersForType<RangeFlags, ProcessContext> = {
  since: {
    kind: 'parsed',
    parse: (text) => parseTime(text),
    optional: true,
    placeholder: 'time',
    brief: 'Start of the range, like 2h, 7d or 2026-11-22; by default 24 h before its end',
  },
  until: {
    kind: 'parsed',
    parse: (text) => parseTime(text),
    optional: true,
    placeholder: 'time',
    brief: 'End of the range; by default, now',
  },
}

/** The range as the API takes it. */
export function rangeQuery({ since, until }: RangeFlags): {
  start_time?: string
  end_time?: string
} {
  return {
    ...(since !== undefined && { start_time: since.toISOString() }),
    ...(until !== undefined && { end_time: until.toISOString() }),
  }
}
