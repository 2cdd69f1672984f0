import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

import { CliError } from '../errors/cli-error.ts'
import { settingsUnusable } from './settings-file.ts'

const STALE_MS = 10_000
const RETRIES = { retries: 100, minTimeout: 50, maxTimeout: 200, factor: 1.2 }

/**
 * Runs work while no other process runs work with the same file. The lock of a process that was
 * killed ends after ten seconds.
 */
export async function whileLocked<Result>(
  path: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const release = await lockFile(path)
  try {
    return await work()
  } finally {
    await release()
  }
}

async function lockFile(path: string): Promise<() => Promise<void>> {
  const { lock } = await import('proper-lockfile')
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return await lock(path, { realpath: false, stale: STALE_MS, retries: RETRIES })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOCKED')
      throw settingsUnusable(`can't lock ${path}`, error)
    throw new CliError(`another process has locked ${path}`, {
      code: 'settings_locked',
      next: 'try again when it has ended',
      cause: error,
    })
  }
}
