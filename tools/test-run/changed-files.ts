import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { tryCommand } from '@slipway/local/process/run-command'
import { UsageError } from '@slipway/local/usage-error'

/**
 * Returns the repository paths of files that differ between a commit and the working tree,
 * including new files but not deleted ones. The default commit is the one where this branch left
 * `main`.
 */
export async function changedFiles(checkout: string, revision?: string): Promise<string[]> {
  // Under sudo the checkout belongs to the caller, and git refuses repositories of other users.
  const git = async (...args: string[]) =>
    await tryCommand('git', ['-C', checkout, '-c', `safe.directory=${checkout}`, ...args])
  const lines = async (...args: string[]) => {
    const { code, output, errors } = await git(...args)
    if (code !== 0) throw new UsageError(`git ${args.join(' ')}: ${errors.trim()}`)
    return output.split('\n').filter((line) => line !== '')
  }
  const base = async () => {
    for (const branch of ['origin/main', 'main']) {
      const { code, output } = await git('merge-base', 'HEAD', branch)
      if (code === 0) return output.trim()
    }
    return 'HEAD'
  }
  const found = [
    ...(await lines('diff', '--name-only', '--diff-filter=d', revision ?? (await base()))),
    ...(await lines('ls-files', '--others', '--exclude-standard')),
  ]
  return [...new Set(found)].filter((path) => existsSync(join(checkout, path))).toSorted()
}
