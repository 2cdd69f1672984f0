import { CliError, usageError } from '../errors/cli-error.ts'
import { confirm } from './ask.ts'
import type { Cli } from './cli.ts'

/** The option of commands that ask before they change something. */
export interface ConsentFlags {
  readonly yes: boolean
}

export const yesFlag = {
  kind: 'boolean',
  default: false,
  withNegated: false,
  brief: 'Do not ask',
} as const

/** Ends a command that will have to ask, if no one can be asked. */
export function requireConsent(cli: Cli, { yes }: ConsentFlags, next = 'use --yes'): void {
  if (yes || cli.isInteractive) return
  throw usageError("this needs your consent, which can't be asked for without a terminal", next)
}

/** Asks, and ends the command unless the answer is yes. */
export async function consent(cli: Cli, question: string): Promise<void> {
  requireConsent(cli, { yes: false })
  if (await confirm(cli, question)) return
  throw new CliError('nothing was changed', { code: 'cancelled', isAnswer: true })
}
