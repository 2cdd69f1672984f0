import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * Returns what git prints in a folder; undefined if it fails, as without a repository, or prints
 * more than `maxBuffer` bytes.
 */
export async function runGit(
  folder: string,
  args: readonly string[],
  { maxBuffer, signal }: { maxBuffer: number; signal: AbortSignal | undefined },
): Promise<string | undefined> {
  // The repository may be foreign: a monitor that it names would run as a program.
  const settings = ['--no-optional-locks', '-c', 'core.fsmonitor=false']
  const options = { cwd: folder, maxBuffer, ...(signal && { signal }) }
  const printed = await promisify(execFile)('git', [...settings, ...args], options).catch(
    () => undefined,
  )
  signal?.throwIfAborted()
  return printed?.stdout
}
