import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pushImage } from '@slipway/agent-image/parts'
import { buildPlatformImage } from '@slipway/local/install/platform-images'
import { say } from '@slipway/local/progress'
import { REGISTRY_ADDRESS } from '@slipway/local/parts/registry'
import { readEnvFile } from '@slipway/local/stack/env-file'
import { requireEnv } from '@slipway/local/stack/running-stack'
import { stackDirectories } from '@slipway/local/stack/stack'

const REPOSITORY = 'slipway/chart-test-agent'

/**
 * `probe [OPTIONS]`: runs test/prober on the running stack, which deploys the agent of the chart's
 * test, and passes it the options.
 */
export async function run(args: readonly string[]): Promise<number> {
  requireEnv('SLIPWAY_URL')
  const directories = stackDirectories()
  const image = await buildPlatformImage(directories, 'chart-test-agent', say)
  const { digest } = await pushImage(REGISTRY_ADDRESS, REPOSITORY, 'probe', image)
  const program = join(directories.checkout, 'test/prober/main.ts')
  const child = spawn(process.execPath, ['--', program, ...args], {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...Object.fromEntries(readEnvFile(directories)),
      SLIPWAY_PROBE_IMAGE: `${REGISTRY_ADDRESS}/${REPOSITORY}@${digest}`,
    },
  })
  // Ctrl-C reaches the prober, too; it ends with its report.
  process.on('SIGINT', () => undefined)
  process.once('SIGTERM', () => child.kill())
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 1
}
