import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { daemonLog } from '@slipway/local/process/daemon'
import { partsOf } from '@slipway/local/parts/index'
import { defaultSettings } from '@slipway/local/stack/settings'
import { makeStack, readSettings } from '@slipway/local/stack/settings-store'
import { stackDirectories } from '@slipway/local/stack/stack'
import { UsageError } from '@slipway/local/usage-error'

/** `logs PART [-f] [-n LINES]`: prints what a part's processes have logged since `up`. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { follow: { type: 'boolean', short: 'f' }, lines: { type: 'string', short: 'n' } },
    strict: true,
    allowPositionals: true,
  })
  const [wanted, ...rest] = positionals
  if (wanted === undefined || rest.length > 0)
    throw new UsageError('logs needs the name of one part, for example ./dev logs gateway')
  if (values.lines !== undefined && !/^\d+$/.test(values.lines))
    throw new UsageError(`-n: ${values.lines} is not a number of lines`)
  const directories = stackDirectories()
  const stack = makeStack(directories, readSettings(directories) ?? defaultSettings)
  const daemons = new Map<string, string[]>()
  for (const part of partsOf(stack.settings)) {
    const names = (await part.status(stack)).map(({ name }) => name)
    for (const name of names) daemons.set(name, [name])
    daemons.set(part.name, names)
  }
  const known = daemons.get(wanted)
  if (!known)
    throw new UsageError(`${wanted} is not a part; parts are ${[...daemons.keys()].join(', ')}`)
  const files = known.map((name) => daemonLog(stack, name)).filter((file) => existsSync(file))
  if (files.length === 0) throw new Error(`${wanted} has no log; start the stack with ./dev up`)
  const from = values.lines ?? '+1'
  const result = spawnSync('tail', ['-n', from, ...(values.follow ? ['-F'] : []), '--', ...files], {
    stdio: 'inherit',
  })
  // Ctrl-C is the normal way to end -f.
  return result.signal === null ? (result.status ?? 1) : 0
}
