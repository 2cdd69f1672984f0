import { join } from 'node:path'
import { runDemo } from '../demo/demo.ts'
import { say } from '../progress.ts'
import { testRelease } from '../parts/release.ts'
import { resolveLocalhostNames } from '../process/localhost-names.ts'
import { runCommand } from '../process/run-command.ts'
import { requireEnv } from '../stack/running-stack.ts'
import { makeStack, readSettings } from '../stack/settings-store.ts'
import { stackDirectories } from '../stack/stack.ts'
import { buildTool } from '../install/toolchain.ts'
import { UsageError } from '../usage-error.ts'
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
