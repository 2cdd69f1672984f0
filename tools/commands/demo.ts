import { join } from 'node:path'
import { runDemo } from '../demo/demo.ts'
import { say } from '@slipway/local/progress'
import { testRelease } from '@slipway/local/parts/release'
import { resolveLocalhostNames } from '@slipway/local/process/localhost-names'
import { runCommand } from '@slipway/local/process/run-command'
import { requireEnv } from '@slipway/local/stack/running-stack'
import { makeStack, readSettings } from '@slipway/local/stack/settings-store'
import { stackDirectories } from '@slipway/local/stack/stack'
import { buildTool } from '@slipway/local/install/toolchain'
import { UsageError } from '@slipway/local/usage-error'
import { run as up } from './up.ts'

/** `demo [--in-cluster]`: starts the stack and runs the demo on it. */
export async function run(args: readonly string[]): Promise<number> {
  if (args.some((arg) => arg !== '--in-cluster'))
    throw new UsageError('demo takes no arguments but --in-cluster')
  const code = await up(args)
  if (code !== 0) return code
  const directories = stackDirectories()
  const { checkout, cacheDir } = directories
  const kubectl = join(await buildTool(directories, 'kubernetes', say), 'kubectl')
  const access = ['--kubeconfig', requireEnv('KUBECONFIG')]
  resolveLocalhostNames()
  await runDemo({
    checkout,
    cacheDir,
    env: requireEnv,
    kubectl: async (kubectlArgs, input) =>
      await runCommand(kubectl, [...access, ...kubectlArgs], input),
  })
  const settings = readSettings(directories)
  if (settings?.inCluster) say(await testRelease(makeStack(directories, settings)))
  return 0
}
