import type { Cli } from './cli.ts'

/** The longest time that a timer can have. */
const MOST_MS = 2 ** 31 - 1

/** Aborts with Ctrl-C, and after this time, at most 24 days. */
export function withTimeLimit({ signal }: Pick<Cli, 'signal'>, seconds: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(Math.min(seconds * 1000, MOST_MS))])
}
