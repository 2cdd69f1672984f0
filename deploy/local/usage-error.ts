/** An invalid command line. The message says why, and the exit code is 2. */
export class UsageError extends Error {}

/** Whether an error is about the command line, and not about what the command did. */
export function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError) return true
  return (
    error instanceof TypeError &&
    String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')
  )
}
