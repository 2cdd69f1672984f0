import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildTool } from '@slipway/local/install/toolchain'
import { say } from '@slipway/local/progress'
import { readEnvFile } from '@slipway/local/stack/env-file'
import { stackDirectories } from '@slipway/local/stack/stack'
import { InterruptibleRunner } from '../test-run/interruptible.ts'
import { run as up } from './up.ts'

/** `release`: writes what later releases are tested with to test/releases, with the stack. */
export async function run(args: readonly string[]): Promise<number> {
  parseArgs({ args: [...args], options: {}, strict: true })
  const directories = stackDirectories()
  const code = await up([])
  if (code !== 0) return code
  const stack = Object.fromEntries(readEnvFile(directories))
  const natsServer = join(await buildTool(directories, 'nats-server', say), 'nats-server')
  using runner = new InterruptibleRunner()
  const program = join(directories.checkout, 'test/releases/cut.ts')
  return await runner.run([process.execPath, program], {
    env: { ...process.env, ...stack, NATS_SERVER_BIN: natsServer },
    cwd: directories.checkout,
  })
}
