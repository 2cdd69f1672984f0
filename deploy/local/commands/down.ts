import { existsSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { removeEnvFile } from '../stack/env-file.ts'
import { takeDown } from '../stack/part.ts'
import { partsOf } from '../parts/index.ts'
import { runAsRoot } from '../process/privileges.ts'
import { formatDuration, say } from '../progress.ts'
import { defaultSettings } from '../stack/settings.ts'
import { makeStack, readSettings } from '../stack/settings-store.ts'
import { purgeState, stackDirectories } from '../stack/stack.ts'
import { whileLocked } from './up.ts'

/** `down`: stops everything. Only the stack's data stays; `--purge` deletes it as well. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { purge: { type: 'boolean' } },
    strict: true,
  })
  const directories = stackDirectories()
  if (!existsSync(directories.stateDir)) {
    say('there is no stack in this checkout')
    return 0
  }
  const settings = readSettings(directories) ?? defaultSettings
  if (settings.kubeconfig === undefined) {
    const done = runAsRoot(['down', ...args])
    if (done !== undefined) return done
  }
  const stack = makeStack(directories, settings)
  const began = performance.now()
  await whileLocked(stack, async () => {
    removeEnvFile(stack)
    if (existsSync(stack.runDir)) {
      await takeDown(partsOf(settings), stack)
      rmSync(stack.runDir, { recursive: true, force: true })
    }
    if (values.purge) purgeState(stack)
  })
  const purged = values.purge ? ', and its data is deleted' : ''
  say(`Slipway is down after ${formatDuration(performance.now() - began)}${purged}`)
  return 0
}
