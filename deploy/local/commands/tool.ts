import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildTool } from '../install/toolchain.ts'
import { tools } from '../install/tools.ts'
import type { Tool } from '../install/tools.ts'
import { say } from '../progress.ts'
import { readEnvFile } from '../stack/env-file.ts'
import { stackDirectories } from '../stack/stack.ts'
import { UsageError } from '../usage-error.ts'

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
