import { ConnectionError } from '@slipway/client'

import { CliError } from '../errors/cli-error.ts'
import { exitCodes } from '../errors/exit-code.ts'
import type { Cli } from './cli.ts'
import { explain } from './explain.ts'
import type { ProcessContext } from './process-context.ts'

/** That Ctrl-C has ended a command. `detail` says what became of its work. */
export function interruption(detail?: string): CliError {
  return new CliError(detail === undefined ? 'interrupted' : `interrupted: ${detail}`, {
    code: 'interrupted',
    isAnswer: true,
    exitCode: exitCodes.interrupted,
  })
}

/**
 * Why a command has failed: the interruption, or its error. Both say if the server may have done
 * what it was asked for.
 */
export function interruptionOr(
  error: unknown,
  { signal, process: { stderr } }: ProcessContext,
  cli: Cli | undefined,
): unknown {
  const isUnanswered = cli !== undefined && !cli.unanswered.isEmpty
  if (!signal.aborted) return isUnanswered && wasCut(error) ? withDoubt(error) : error
  const isOurs = error instanceof CliError && error.code === 'interrupted'
  if (!isOurs && !isAbort(error)) return error
  // What follows is not on the line with the `^C` of the terminal.
  if (stderr.isTTY === true) stderr.write('\n')
  if (isOurs) return error
  return isUnanswered
    ? interruption('the server had not answered, and may still do it')
    : interruption()
}

/** Whether a request may have arrived that has got no answer. */
function wasCut(error: unknown): error is ConnectionError {
  return error instanceof ConnectionError && ['cut', 'timeout'].includes(error.reason)
}

function withDoubt(error: ConnectionError): CliError {
  const { message, code, why = '', next } = explain(error)
  const doubt = 'the server may have done it nevertheless'
  return new CliError(message, { code, why: `${why}\n${doubt}`.trim(), next, cause: error })
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name)
}
