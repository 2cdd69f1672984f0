import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildTool } from '@slipway/local/install/toolchain'
import { tools } from '@slipway/local/install/tools'
import type { Tool } from '@slipway/local/install/tools'
import { say } from '@slipway/local/progress'
import { readEnvFile } from '@slipway/local/stack/env-file'
import { stackDirectories } from '@slipway/local/stack/stack'
import { UsageError } from '@slipway/local/usage-error'

/**
 * `tool NAME ARGS…`: runs a program that is built from a Go module, for example Helm, on the
 * stack's cluster if it is up.
 */
export async function run([name = '', ...args]: readonly string[]): Promise<number> {
  const directories = stackDirectories()
  const directory = await buildTool(directories, toolNamed(name), say)
  const kubeconfig = readEnvFile(directories).get('KUBECONFIG')
  const result = spawnSync(join(directory, name), args, {
    stdio: 'inherit',
    env: { ...process.env, ...(kubeconfig === undefined ? {} : { KUBECONFIG: kubeconfig }) },
  })
  if (result.error) throw result.error
  return result.status ?? 1
}

function toolNamed(name: string): Tool {
  if (Object.hasOwn(tools, name)) return name as Tool
  throw new UsageError(`"${name}" is not a tool; use one of ${Object.keys(tools).join(', ')}`)
}
