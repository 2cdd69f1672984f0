import { sleepOrAbort } from '../waiting.ts'
import type { Database } from './database.ts'

/** How long to wait for a lock. */
export interface AdvisoryLockOptions {
  /** How long to try while another process holds it; default 0: once. */
  readonly tryForMs?: number
  /** Ends the wait, and aborts the body's signal. */
  readonly signal?: AbortSignal
}

/** The body's result, or that the lock was not acquired in time. */
export type LockOutcome<Result> =
  | { readonly acquired: true; readonly result: Result }
  | { readonly acquired: false }

/**
 * Runs `body` while this process holds the lock `key` in the database. The signal fires when the
 * lock is lost with its connection: the body must then stop, because another process may already
 * have the lock.
 */
export async function withAdvisoryLock<Schema, Result>(
  db: Database<Schema>,
  key: string,
  options: AdvisoryLockOptions,
  body: (signal: AbortSignal) => Promise<Result>,
): Promise<LockOutcome<Result>> {
  const deadline = performance.now() + (options.tryForMs ?? 0)
  for (;;) {
    options.signal?.throwIfAborted()
    await using lock = await db.locks.tryLock(key)
    if (lock) {
      const signal = options.signal ? AbortSignal.any([lock.signal, options.signal]) : lock.signal
      return { acquired: true, result: await body(signal) }
    }
    const leftMs = deadline - performance.now()
    if (leftMs <= 0) return { acquired: false }
    await sleepOrAbort(Math.min(leftMs, 20 + Math.random() * 60), options.signal)
  }
}
