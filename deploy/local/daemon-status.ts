import { daemonState, logTail } from './daemon.ts'
import type { PartStatus } from './part.ts'
import type { Stack } from './stack.ts'

/** The status of some daemons; of one that died, the last thing that it wrote. */
export function daemonStatuses(stack: Pick<Stack, 'runDir'>, names: readonly string[]): PartStatus[] {
  return names.map((name) => {
    const state = daemonState(stack, name)
    return state === 'crashed' ? { name, state, detail: logTail(stack, name, 1) } : { name, state }
  })
}
