import { daemonState, logTail } from './daemon.ts'
import type { PartStatus } from '../stack/part.ts'
import type { Stack } from '../stack/stack.ts'

/** The status of some daemons; of one that died, what it last said. */
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
 * The line of a log that most likely says why its writer died: the last one that speaks of an
 * error, else the last.
 */
export function lastWords(log: string): string {
  const lines = log.split('\n').map((line) => line.trim())
  return lines.findLast((line) => /error|fatal|panic/i.test(line)) ?? lines.at(-1) ?? ''
}
