import type { FlagParametersForType } from '@stricli/core'

import type { CommonFlags } from './flag-values.ts'
import { proposals } from './parameters.ts'
import type { ProcessContext } from './process-context.ts'

export const commonFlags: FlagParametersForType<CommonFlags, ProcessContext> = {
  context: {
    kind: 'parsed',
    parse: String,
    optional: true,
    placeholder: 'name',
    brief: 'The server to use; see `slipway context list`',
    proposeCompletions: proposals('contexts'),
  },
  account: {
    kind: 'parsed',
    parse: String,
    optional: true,
    placeholder: 'name',
    brief: 'The account to use, in place of the current one',
    proposeCompletions: proposals('accounts'),
  },
  json: { kind: 'boolean', default: false, withNegated: false, brief: 'Print JSON' },
  output: {
    kind: 'enum',
    values: ['text', 'json', 'yaml'],
    optional: true,
    brief: 'The form of the result',
  },
  quiet: {
    kind: 'boolean',
    default: false,
    withNegated: false,
    brief: 'Print no progress and no advice',
  },
  verbose: {
    kind: 'boolean',
    default: false,
    withNegated: false,
    brief: 'Print each request to standard error, without its secrets',
  },
}

export const commonAliases = { o: 'output', q: 'quiet', v: 'verbose' } as const
