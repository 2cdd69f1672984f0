import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

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
  const { lock } = await import('proper-lockfile')
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const release = await lock(path, { realpath: false, stale: STALE_MS, retries: RETRIES })
  try {
    return await work()
  } finally {
    await release()
  }
}
