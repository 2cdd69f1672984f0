import { parseArgs } from 'node:util'
import { partsOf } from '@slipway/local/parts/index'
import { defaultSettings } from '@slipway/local/stack/settings'
import { makeStack, readSettings } from '@slipway/local/stack/settings-store'
import { stackDirectories } from '@slipway/local/stack/stack'

/** `status`: prints one line for each process. The exit code is 0 if all of them run. */
export async function run(args: readonly string[]): Promise<number> {
  parseArgs({ args: [...args], options: {}, strict: true })
  const directories = stackDirectories()
  const settings = readSettings(directories)
  const stack = makeStack(directories, settings ?? defaultSettings)
  const statuses = (
    await Promise.all(partsOf(stack.settings).map((part) => part.status(stack)))
  ).flat()
  const width = Math.max(...statuses.map(({ name }) => name.length)) + 2
  for (const { name, state, detail } of statuses) {
    console.log(`${name.padEnd(width)}${state.padEnd(10)}${detail ?? ''}`.trimEnd())
  }
  return statuses.every(({ state }) => state === 'running' || state === 'external') ? 0 : 1
}
