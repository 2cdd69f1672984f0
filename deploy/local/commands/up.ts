import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readEnvFile, removeEnvFile, writeEnvFile } from '../stack/env-file.ts'
import { withFileLock } from '../process/file-lock.ts'
import { bringUp, failedParts } from '../stack/part.ts'
import { partsOf } from '../parts/index.ts'
import { checkPorts } from '../process/port-check.ts'
import { runAsRoot } from '../process/privileges.ts'
import { formatDuration, partReport, say } from '../progress.ts'
import { makeStack, readSettings, writeSettings } from '../stack/settings-store.ts'
import { createDirectories, stackDirectories } from '../stack/stack.ts'
import type { Stack } from '../stack/stack.ts'
import { ensureSystemPackages } from '../install/system-packages.ts'
import { readUpOptions } from '../stack/up-options.ts'

/** `up`: brings up what isn't up, and writes the env file once everything is ready. */
export async function run(args: readonly string[]): Promise<number> {
  const directories = stackDirectories()
  const previous = readSettings(directories)
  const previousEnv = readEnvFile(directories)
  const settings = readUpOptions({ args, env: process.env, previous, previousEnv })
  if (settings.kubeconfig === undefined) {
    const done = runAsRoot(['up', ...args])
    if (done !== undefined) return done
    await ensureSystemPackages(say)
  }
  createDirectories(directories)
  const stack = makeStack(directories, settings)
  try {
    await whileLocked(stack, async () => await start(stack))
  } catch (error) {
    const failed = failedParts(error)
    if (failed.length === 0) throw error
    say(
      `dev: not everything came up (${failed.join(', ')}); see ./dev status and ./dev logs ${failed[0]}`,
    )
    return 1
  }
  say(
    `Slipway is up at ${stack.env.get('SLIPWAY_URL')}; try: ./dev token alice, ./dev status, ./dev down`,
  )
  return 0
}

/** Runs something while no other `up` or `down` works on the same stack. */
export async function whileLocked<T>(stack: Stack, work: () => Promise<T>): Promise<T> {
  const waiting = () => say('waiting for another run that works on this stack')
  return await withFileLock(join(stack.stateDir, 'lock'), waiting, work)
}

async function start(stack: Stack): Promise<void> {
  const began = performance.now()
  const parts = partsOf(stack.settings)
  await checkPorts(parts, stack)
  // The other `down` may have taken the directory away while this run waited.
  mkdirSync(stack.runDir, { recursive: true })
  writeSettings(stack)
  removeEnvFile(stack)
  await bringUp(parts, stack, partReport())
  writeEnvFile(stack)
  say(`  everything is ready after ${formatDuration(performance.now() - began)}`)
}
