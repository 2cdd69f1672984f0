import type { CommandContext } from '@stricli/core'

import type { Output } from '../output/terminal.ts'

/** The standard input of a process. */
export type Input = NodeJS.ReadableStream & {
  readonly isTTY?: boolean
  setRawMode?(mode: boolean): unknown
}

/** What the command line uses of its process. */
export interface ProcessContext extends CommandContext {
  readonly process: {
    readonly stdin: Input
    readonly stdout: Output
    readonly stderr: Output
    readonly env: NodeJS.ProcessEnv
  }
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Called with the exit code of the command. */
  readonly exit: (code: number) => void
}
