import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { say } from '@slipway/local/progress'
import { requireEnv } from '@slipway/local/stack/running-stack'
import { stackDirectories } from '@slipway/local/stack/stack'
import { buildTool } from '@slipway/local/install/toolchain'

/** `kubectl ARGS…`: runs kubectl as the administrator of the stack's cluster. */
export async function run(args: readonly string[]): Promise<number> {
  const kubeconfig = requireEnv('KUBECONFIG')
  const directory = await buildTool(stackDirectories(), 'kubernetes', say)
  const result = spawnSync(join(directory, 'kubectl'), args, {
    stdio: 'inherit',
    env: { ...process.env, KUBECONFIG: kubeconfig },
  })
  if (result.error) throw result.error
  return result.status ?? 1
}
