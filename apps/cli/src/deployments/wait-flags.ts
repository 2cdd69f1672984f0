import type { FlagParametersForType } from '@stricli/core'

import { parseSeconds } from '../command/values/time.ts'
import type { ProcessContext } from '../command/process-context.ts'
import type { WaitFlags } from './change.ts'

/** Options of commands that wait for pods. */
export const waitFlags: FlagParametersForType<WaitFlags, ProcessContext> = {
  detach: {
    kind: 'boolean',
    default: false,
    withNegated: false,
    brief: 'Do not wait for the pods',
  },
  timeout: {
    kind: 'parsed',
    parse: parseSeconds,
    default: '5m',
    placeholder: 'duration',
    brief: 'How long to wait for the pods',
  },
}
