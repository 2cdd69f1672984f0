import { mkdirSync } from 'node:fs'
import { readEnvFile, removeEnvFile, writeEnvFile } from '@slipway/local/stack/env-file'
import { whileLocked } from '@slipway/local/process/stack-lock'
import { addLocalContext } from './local-context.ts'
import { bringUp, failedParts } from '@slipway/local/stack/part'
import { partsOf } from '@slipway/local/parts/index'
import { checkPorts } from '@slipway/local/process/port-check'
import { runAsRoot } from '@slipway/local/process/privileges'
import { formatDuration, partReport, say } from '@slipway/local/progress'
import { makeStack, readSettings, writeSettings } from '@slipway/local/stack/settings-store'
import { createDirectories, stackDirectories } from '@slipway/local/stack/stack'
import type { Stack } from '@slipway/local/stack/stack'
import { ensureSystemPackages } from '@slipway/local/install/system-packages'
import { readUpOptions } from '@slipway/local/stack/up-options'

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
