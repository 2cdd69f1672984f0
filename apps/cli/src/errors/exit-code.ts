/** What the command line's exit codes mean. They are part of its documented interface. */
export const exitCodes = {
  ok: 0,
  /** The command failed. */
  failed: 1,
  /** The command was called in a wrong way. */
  usage: 2,
  /** The caller must sign in. */
  signIn: 4,
  /** A deploy ended, and not all of its objects or pods work. */
  deployFailed: 5,
  /** Something still goes on, and may succeed. */
  pending: 8,
  /** Ctrl-C ended the command. */
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
