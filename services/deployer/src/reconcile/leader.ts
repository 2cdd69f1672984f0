import { withAdvisoryLock, type Database } from '@slipway/shared/db'
import type { Logger } from '@slipway/shared/logger'
import { sleep } from '@slipway/shared/waiting'

const RETRY_MS = 1_000

/**
 * Runs `body` in one replica at a time, elected by an advisory lock, and restarts it when it ends.
 * Its signal fires when the lock is lost, or when this is disposed of.
 */
export function startLeader<Schema>(
  options: { readonly db: Database<Schema>; readonly logger: Logger; readonly key: string },
  body: (signal: AbortSignal) => Promise<void>,
): AsyncDisposable {
  const ending = new AbortController()
  const running = (async () => {
    while (!ending.signal.aborted) {
      try {
        await withAdvisoryLock(options.db, options.key, { signal: ending.signal }, body)
      } catch (error) {
        if (!ending.signal.aborted)
          options.logger.warn({ err: error, key: options.key }, 'leader_interrupted')
      }
      await sleep(RETRY_MS, ending.signal)
    }
  })()
  return {
    async [Symbol.asyncDispose]() {
      ending.abort()
      await running
    },
  }
}
