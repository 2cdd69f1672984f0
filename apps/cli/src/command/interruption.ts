import { CliError } from '../errors/cli-error.ts'
import { exitCodes } from '../errors/exit-code.ts'
import type { Cli } from './cli.ts'
import type { ProcessContext } from './process-context.ts'

/** That Ctrl-C has ended a command. `detail` says what became of its work. */
export function interruption(detail?: string): CliError {
  return new CliError(detail === undefined ? 'interrupted' : `interrupted: ${detail}`, {
    code: 'interrupted',
    isAnswer: true,
    exitCode: exitCodes.interrupted,
  })
}

/** The interruption, if that is why a command has failed; else its error. */
export function interruptionOr(
  error: unknown,
  { signal, process: { stderr } }: ProcessContext,
  cli: Cli | undefined,
): unknown {
  if (!signal.aborted) return error
  const isOurs = error instanceof CliError && error.code === 'interrupted'
  if (!isOurs && !isAbort(error)) return error
  // What follows is not on the line with the `^C` of the terminal.
  if (stderr.isTTY === true) stderr.write('\n')
  if (isOurs) return error
  return cli === undefined || cli.unanswered.isEmpty
    ? interruption()
    : interruption('the server had not answered, and may still do it')
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name)
}
