import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runDemo } from '../demo/demo.ts'
import { readEnvFile } from '../env-file.ts'
import { formatDuration, say } from '../progress.ts'
import { requireEnv } from '../running-stack.ts'
import { stackDirectories } from '../stack.ts'
import { buildTool } from '../toolchain.ts'
import { run as up } from './up.ts'

/** `demo`: from the example agent's source to a pod that answers, on a stack that stays up. */
export async function run(args: readonly string[]): Promise<number> {
  parseArgs({ args: [...args], options: {}, strict: true })
  const start = performance.now()
  // `up` restarts nothing that runs, so it is also the way to see that everything does.
  const failed = await up([])
  if (failed !== 0) return failed
  const directories = stackDirectories()
  const kubectl = join(await buildTool(directories, 'kubernetes', say), 'kubectl')
  const env = { ...process.env, ...Object.fromEntries(readEnvFile(directories)) }
  await runDemo({
    checkout: directories.checkout,
    cacheDir: directories.cacheDir,
    env: requireEnv,
    kubectl: async (words, input) => await capture(kubectl, words, env, input),
  })
  say(`the demo took ${formatDuration(performance.now() - start)}`)
  return 0
}

async function capture(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input: string | undefined,
): Promise<string> {
  return await new Promise((resolve, reject) => {
    const child = execFile(program, args, { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`kubectl ${args.join(' ')} failed:\n${stderr.trim() || error.message}`))
      else resolve(stdout)
    })
    child.stdin?.end(input)
  })
}
