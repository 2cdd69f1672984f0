import type { FlagParametersForType } from '@stricli/core'

import type { Cli } from './cli.ts'
import { consent, yesFlag } from './consent.ts'
import type { ProcessContext } from './process-context.ts'

/** The options of commands that delete something. */
export interface DeletionFlags {
  readonly yes: boolean
  readonly dryRun: boolean
}

export const deletionFlags: FlagParametersForType<DeletionFlags, ProcessContext> = {
  yes: yesFlag,
  dryRun: {
    kind: 'boolean',
    default: false,
    withNegated: false,
    brief: 'Only show what would be deleted',
  },
}

/** What is deleted, and how a person is asked. */
export interface Deletion<Result> {
  /** Deletes it. With `true`, only checks whether it can, and returns what it would do. */
  readonly send: (dryRun: boolean) => Promise<Result>
  /** What is deleted, for the question. */
  readonly describe: (result: Result) => readonly string[]
  readonly question: string
}

/** Shows what would be deleted, asks, and deletes it. */
export async function deleteAfterAsking<Result>(
  cli: Cli,
  { yes, dryRun }: DeletionFlags,
  { send, describe, question }: Deletion<Result>,
): Promise<Result> {
  if (dryRun) return await send(true)
  if (!yes) {
    for (const line of describe(await send(true))) cli.printer.error(line)
    await consent(cli, question)
  }
  return await send(false)
}
