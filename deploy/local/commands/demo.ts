import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { runDemo } from '../demo/demo.ts'
import { say } from '../progress.ts'
import { testRelease } from '../parts/release.ts'
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
  await runDemo({
    checkout,
    cacheDir,
    env: requireEnv,
    kubectl: async (kubectlArgs, input) => await output(kubectl, kubectlArgs, input),
  })
  const settings = readSettings(directories)
  if (settings?.inCluster) say(await testRelease(makeStack(directories, settings)))
  return 0
}

/** Runs kubectl and returns its standard output; throws with its standard error if it fails. */
async function output(command: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(command, args, {
    env: { ...process.env, KUBECONFIG: requireEnv('KUBECONFIG') },
  })
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  if (child.exitCode !== 0)
    throw new Error(`kubectl ${args.slice(0, 3).join(' ')} failed: ${stderr.trim()}`)
  return stdout
}
