/** The command line can't be understood: the message says why, and the exit code is 2. */
export class UsageError extends Error {}

/** Whether somebody typed something that isn't there, rather than something having failed. */
export function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError) return true
  return (
    error instanceof TypeError &&
    String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')
  )
}
