import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readEnvFile, removeEnvFile, writeEnvFile } from '../stack/env-file.ts'
import { withFileLock } from '../process/file-lock.ts'
import { addLocalContext } from './local-context.ts'
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

/** `up`: starts whatever isn't running, and writes the env file when everything is ready. */
export async function run(args: readonly string[]): Promise<number> {
  const directories = stackDirectories()
  const previous = readSettings(directories)
  const previousEnv = readEnvFile(directories)
  const { env, arch } = process
  const settings = readUpOptions({ args, env, arch, previous, previousEnv })
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
    const list = failed.join(', ')
    say(`dev: could not start ${list}; see ./dev status and ./dev logs ${failed[0]}`)
    return 1
  }
  const url = stack.env.get('SLIPWAY_URL') ?? ''
  say(`Slipway is up at ${url}`)
  // A stack in another directory is that of a test run.
  const isOfCheckout = !env['SLIPWAY_STATE_DIR']
  const problem = isOfCheckout ? addLocalContext(directories.checkout, url) : undefined
  if (problem !== undefined) say(`the command line has no context for it: ${problem.trim()}`)
  say('Next: ./slipway login, ./dev status, ./dev down')
  return 0
}

/** Runs a function while no other `up` or `down` can change the same stack. */
export async function whileLocked<T>(stack: Stack, work: () => Promise<T>): Promise<T> {
  const waiting = () => say('waiting for another ./dev up or ./dev down of this stack to finish')
  return await withFileLock(join(stack.stateDir, 'lock'), waiting, work)
}

async function start(stack: Stack): Promise<void> {
  const began = performance.now()
  const parts = partsOf(stack.settings)
  await checkPorts(parts, stack)
  // Another `down` may have deleted the directory while this run waited.
  mkdirSync(stack.runDir, { recursive: true })
  writeSettings(stack)
  removeEnvFile(stack)
  await bringUp(parts, stack, partReport())
  writeEnvFile(stack)
  say(`  ready after ${formatDuration(performance.now() - began)}`)
}
