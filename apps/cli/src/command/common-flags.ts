import type { FlagParametersForType } from '@stricli/core'

import { usageError } from '../errors/cli-error.ts'
import type { Format } from '../output/printer.ts'
import { proposals } from './parameters.ts'
import type { ProcessContext } from './process-context.ts'

/** The options that every command has. */
export interface CommonFlags {
  readonly context?: string
  readonly account?: string
  readonly json: boolean
  readonly output?: Format
  readonly quiet: boolean
  readonly verbose: boolean
}

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

/** The form that the flags ask for. */
export function formatOf({ json, output }: Pick<CommonFlags, 'json' | 'output'>): Format {
  if (json && output !== undefined && output !== 'json')
    throw usageError(`--json and --output ${output} contradict each other`)
  return json ? 'json' : (output ?? 'text')
}
