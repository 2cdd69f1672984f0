import { withAdvisoryLock, type Database } from '@slipway/shared/db'
import type { Logger } from '@slipway/shared/logger'
import { sleep } from '@slipway/shared/waiting'

import type { ObservabilitySchema } from '../db/tables.ts'
import type { TraceStore } from '../store/trace-store.ts'
import { deleteExpired } from './delete-expired.ts'
import type { Retention } from './retention.ts'

const INTERVAL_MS = 60 * 60 * 1000

export interface ExpiryJobOptions {
  readonly db: Database<ObservabilitySchema>
  readonly store: TraceStore
  readonly retention: Retention
  readonly logger: Logger
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** How often it runs; default: every hour. */
  readonly intervalMs?: number | undefined
}

/**
 * Deletes the spans that accounts no longer keep, in one replica at a time. Each run deletes a
 * bounded part of them.
 */
export function startExpiryJob(options: ExpiryJobOptions): AsyncDisposable {
  const { db, store, retention, logger, clock, intervalMs = INTERVAL_MS } = options
  const ending = new AbortController()
  async function runOnce(): Promise<void> {
    try {
      await withAdvisoryLock(db, 'trace-expiry', { signal: ending.signal }, async (signal) => {
        const deleted = await store.maintain((engine) =>
          deleteExpired(engine, { retention, nowMs: clock(), signal }),
        )
        if (deleted) logger.info(deleted, 'expired_traces_deleted')
      })
    } catch (error) {
      if (!ending.signal.aborted) logger.warn({ err: error }, 'expired_traces_not_deleted')
    }
  }
  const running = (async () => {
    while (!ending.signal.aborted) {
      await sleep(intervalMs, ending.signal)
      if (!ending.signal.aborted) await runOnce()
    }
  })()
  return {
    async [Symbol.asyncDispose]() {
      ending.abort()
      await running
    },
  }
}
