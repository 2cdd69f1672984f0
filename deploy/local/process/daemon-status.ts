import { daemonState, logTail } from './daemon.ts'
import type { PartStatus } from '../stack/part.ts'
import type { Stack } from '../stack/stack.ts'

/** Returns the status of daemons; for one that crashed, with the reason from its log. */
export function daemonStatuses(
  stack: Pick<Stack, 'runDir'>,
  names: readonly string[],
): PartStatus[] {
  return names.map((name) => {
    const state = daemonState(stack, name)
    return state === 'crashed'
      ? { name, state, detail: lastWords(logTail(stack, name, 30)) }
      : { name, state }
  })
}

/**
 * Returns the line of a log that most likely says why the process ended: the last one that mentions
 * an error, otherwise the last one.
 */
export function lastWords(log: string): string {
  const lines = log.split('\n').map((line) => line.trim())
  return lines.findLast((line) => /error|fatal|panic/i.test(line)) ?? lines.at(-1) ?? ''
}
