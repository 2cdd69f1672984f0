import { exitCodes, type ExitCode } from './exit-code.ts'

/** What a {@link CliError} says, besides its message. */
export interface CliErrorDetails {
  /** A stable name for programs, for example `unknown_context`. */
  readonly code: string
  /** Why it happened, in one or more lines. */
  readonly why?: string | undefined
  /** The command to run next, or what else to do. */
  readonly next?: string | undefined
  /** The id of the request that failed, for the server's operator. */
  readonly requestId?: string | undefined
  readonly exitCode?: ExitCode
  /** The user has decided it, so it is not reported as an error. */
  readonly isAnswer?: boolean
  /** Printed as JSON in place of all else, for programs. */
  readonly raw?: object
  readonly cause?: unknown
}

/** A failure that the user can understand: what failed, why, and what to do next. */
export class CliError extends Error {
  readonly code: string
  readonly why: string | undefined
  readonly next: string | undefined
  readonly requestId: string | undefined
  readonly exitCode: ExitCode
  readonly isAnswer: boolean
  readonly raw: object | undefined

  constructor(message: string, details: CliErrorDetails) {
    super(message, { cause: details.cause })
    this.name = 'CliError'
    this.code = details.code
    this.why = details.why
    this.next = details.next
    this.requestId = details.requestId
    this.isAnswer = details.isAnswer ?? false
    this.raw = details.raw
    this.exitCode = details.exitCode ?? exitCodes.failed
  }
}

/** The command was called in a wrong way. */
export function usageError(message: string, next?: string): CliError {
  return new CliError(message, { code: 'usage', next, exitCode: exitCodes.usage })
}
