import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readEnvFile } from '../env-file.ts'
import { say } from '../progress.ts'
import { stackDirectories } from '../stack.ts'
import { InterruptibleRunner } from '../test-run/interruptible.ts'
import { buildTool } from '../toolchain.ts'
import { UsageError } from '../usage-error.ts'
import { run as up } from './up.ts'

/** `bench NAME [OPTIONS]`: brings the stack up and runs a bench on its parts, with databases of its own. */
export async function run(args: readonly string[]): Promise<number> {
  const directories = stackDirectories()
  const benches = join(directories.checkout, 'test/bench')
  const [name = '', ...options] = args
  const script = join(benches, `${name}.ts`)
  const names = readdirSync(benches).flatMap((file) => /^(\w+)\.ts$/.exec(file)?.[1] ?? [])
  const known = names.filter((each) => !helpers.has(each))
  if (!known.includes(name)) throw new UsageError(`the benches are ${known.join(', ')}`)
  const code = await up([])
  if (code !== 0) return code
  const natsServer = join(await buildTool(directories, 'nats-server', say), 'nats-server')
  const env = { ...process.env, ...Object.fromEntries(readEnvFile(directories)), NATS_SERVER_BIN: natsServer }
  using runner = new InterruptibleRunner()
  return await runner.run([process.execPath, script, ...options], { env, cwd: directories.checkout })
}

/** What the benches share lies beside them. */
const helpers: ReadonlySet<string> = new Set(['compare', 'load', 'process'])
