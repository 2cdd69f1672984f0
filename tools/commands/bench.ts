import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readEnvFile } from '@slipway/local/stack/env-file'
import { say } from '@slipway/local/progress'
import { stackDirectories } from '@slipway/local/stack/stack'
import { startTemporaryPostgres } from '@slipway/local/postgres/temporary-server'
import { Interrupted, InterruptibleRunner } from '../test-run/interruptible.ts'
import { buildTool } from '@slipway/local/install/toolchain'
import { UsageError } from '@slipway/local/usage-error'
import { run as up } from './up.ts'

/** Benches that need a cluster, so they run on the stack; the others get a temporary Postgres. */
const ON_STACK: ReadonlySet<string> = new Set([
  'console',
  'deploy',
  'neighbours',
  'operations',
  'soak',
])

/** `bench NAME [OPTIONS]`: runs a bench of test/bench and passes it the options. */
export async function run(args: readonly string[]): Promise<number> {
  const directories = stackDirectories()
  const benches = join(directories.checkout, 'test/bench')
  const [name = '', ...options] = args
  const known = readdirSync(benches).flatMap((file) => /^(\w+)\.ts$/.exec(file)?.[1] ?? [])
  if (!known.includes(name))
    throw new UsageError(`bench needs one of these names: ${known.join(', ')}`)
  if (ON_STACK.has(name)) {
    const code = await up([])
    if (code !== 0) return code
  }
  const natsServer = join(await buildTool(directories, 'nats-server', say), 'nats-server')
  await using stack = new AsyncDisposableStack()
  const env = ON_STACK.has(name)
    ? Object.fromEntries(readEnvFile(directories))
    : { POSTGRES_ADMIN_URL: stack.use(await startTemporaryPostgres(directories)).adminUrl }
  using runner = new InterruptibleRunner()
  try {
    return await runner.run([process.execPath, '--', join(benches, `${name}.ts`), ...options], {
      env: { ...process.env, ...env, NATS_SERVER_BIN: natsServer },
      cwd: directories.checkout,
    })
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    say(error.message)
    return error.exitCode
  }
}
