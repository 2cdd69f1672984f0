import { existsSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { removeEnvFile } from '@slipway/local/stack/env-file'
import { takeDown } from '@slipway/local/stack/part'
import { partsOf } from '@slipway/local/parts/index'
import { runAsRoot } from '@slipway/local/process/privileges'
import { formatDuration, say } from '@slipway/local/progress'
import { defaultSettings } from '@slipway/local/stack/settings'
import { makeStack, readSettings } from '@slipway/local/stack/settings-store'
import { purgeState, stackDirectories } from '@slipway/local/stack/stack'
import { whileLocked } from '@slipway/local/process/stack-lock'

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
