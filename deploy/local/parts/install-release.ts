import { say } from '../progress.ts'
import { readSettings, makeStack } from '../stack/settings-store.ts'
import { stackDirectories } from '../stack/stack.ts'
import { releasePart } from './release.ts'

/**
 * Installs Slipway as a release of its chart in the cluster of the running stack. Returns the
 * release's addresses, by the names that the stack's own have.
 */
export async function installRelease(): Promise<Readonly<Record<string, string>>> {
  const directories = stackDirectories()
  const settings = readSettings(directories)
  if (settings === undefined) throw new Error('the stack is not running; start it with ./dev up')
  return await releasePart.up(makeStack(directories, settings), say)
}
