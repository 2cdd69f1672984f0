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

/**
 * `down`: ends every process and leaves nothing on the machine but the state, which `--purge`
 * deletes, too.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { purge: { type: 'boolean' } },
    strict: true,
  })
  const directories = stackDirectories()
  if (!existsSync(directories.stateDir)) {
    say('there is no stack here')
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
  say(
    `Slipway is down after ${formatDuration(performance.now() - began)}${values.purge ? ', its state deleted' : ''}`,
  )
  return 0
}
