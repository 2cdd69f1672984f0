import type { ExitCode } from '../errors/exit-code.ts'
import type { Block } from '../output/blocks.ts'
import type { Cli } from './cli.ts'

/** The work of a command, in a module that is loaded when the command runs. */
export interface Implementation<Flags, Args extends readonly unknown[], Result> {
  /** Does the work, and returns its result. An async iterable is printed as it goes on. */
  readonly run: (cli: Cli, flags: Flags, ...args: Args) => Promise<Result> | AsyncIterable<Result>
  /** What a person sees of a result. */
  readonly view: (result: Result, cli: Cli, flags: Flags) => readonly Block[]
  /** What JSON and YAML have of a result; by default, all of it. */
  readonly json?: (result: Result, flags: Flags) => unknown
  /** The exit code, if it is not 0. */
  readonly exitCode?: (result: Result, flags: Flags) => ExitCode
  /** Whether each result takes the place of the one before on a terminal. */
  readonly replaces?: (flags: Flags) => boolean
}
