import { usageError } from '../errors/cli-error.ts'
import type { Format } from '../output/printer.ts'

/** The values of the options that every command has. */
export interface CommonFlags {
  readonly context?: string
  readonly account?: string
  readonly json: boolean
  readonly output?: Format
  readonly quiet: boolean
  readonly verbose: boolean
}

/** The form that the flags ask for. */
export function formatOf({ json, output }: Pick<CommonFlags, 'json' | 'output'>): Format {
  if (json && output !== undefined && output !== 'json')
    throw usageError(`--json and --output ${output} contradict each other`)
  return json ? 'json' : (output ?? 'text')
}
