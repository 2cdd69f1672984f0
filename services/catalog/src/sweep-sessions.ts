import type { Database } from '@slipway/shared/db'
import type { Logger } from '@slipway/shared/logger'
import { sleep } from '@slipway/shared/waiting'

import type { SessionLimits } from './config.ts'
import { deleteEndedSessions } from './db/browser-sessions.ts'
import type { CatalogSchema } from './db/tables.ts'

const INTERVAL_MS = 10 * 60_000
const BATCH = 500

export interface SweepOptions {
  readonly db: Database<CatalogSchema>
  readonly limits: SessionLimits
  readonly logger: Logger
  /** How often to look for ended sessions, in milliseconds. */
  readonly intervalMs?: number | undefined
}

/** Deletes the rows of sessions that have reached a limit, every ten minutes. */
export function sweepSessions({
  db,
  limits,
  logger,
  intervalMs = INTERVAL_MS,
}: SweepOptions): AsyncDisposable {
  const stopping = new AbortController()
  const run = async (): Promise<void> => {
    for (;;) {
      await sleep(intervalMs, stopping.signal)
      if (stopping.signal.aborted) return
      try {
        while ((await deleteEndedSessions(db, limits, BATCH)) === BATCH);
      } catch (error) {
        logger.warn({ err: error }, 'session_sweep_failed')
      }
    }
  }
  const running = run()
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
    },
  }
}
