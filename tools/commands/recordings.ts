import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stackDirectories } from '@slipway/local/stack/stack'
import { InterruptibleRunner } from '../test-run/interruptible.ts'

/** `recordings [SENDER[/CASE]…]`: makes recordings of what agent frameworks send again. */
export async function run(args: readonly string[]): Promise<number> {
  const { positionals } = parseArgs({ args: [...args], strict: true, allowPositionals: true })
  const { checkout, cacheDir } = stackDirectories()
  using runner = new InterruptibleRunner()
  const program = join(checkout, 'test/recordings/make/main.ts')
  return await runner.run([process.execPath, program, ...positionals], {
    env: { ...process.env, RECORDINGS_CACHE_DIR: join(cacheDir, 'recordings') },
    cwd: checkout,
  })
}
