import { join } from 'node:path'
import { say } from '../progress.ts'
import type { Stack } from '../stack/stack.ts'
import { withFileLock } from './file-lock.ts'

/** Runs a function while no other `up` or `down` can change the same stack. */
export async function whileLocked<T>(stack: Stack, work: () => Promise<T>): Promise<T> {
  const waiting = () => say('waiting for another ./dev up or ./dev down of this stack to finish')
  return await withFileLock(join(stack.stateDir, 'lock'), waiting, work)
}
