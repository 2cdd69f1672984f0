import { sql } from 'kysely'

import type { Db } from './tables.ts'

/**
 * How often to query the outbox. It contains each event as soon as it is committed, even when NATS
 * is down.
 */
const POLL_MS = 250

/** A state of a deployment that a caller knows. */
export interface KnownState {
  /** The sequence number of the last event that the caller knows. */
  readonly sequence: number
  /** The reason that the caller knows, if a new one matters; it can change without an event. */
  readonly reason?: string
}

interface Waiter {
  readonly deploymentId: string
  readonly known: KnownState
  /** Resolves the wait, or rejects it when an error is given. */
  readonly settle: (error?: unknown) => void
}

/** Waits for changes of any number of deployments with one query at a time. */
export class EventWaiters {
  readonly #db: Db
  readonly #waiters = new Set<Waiter>()
  #timer: NodeJS.Timeout | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /**
   * Waits until a deployment has an event, or another reason, that the caller doesn't know. Throws
   * the signal's reason when the signal fires first.
   */
  async waitForChange(deploymentId: string, known: KnownState, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const settle = (error?: unknown): void => {
      this.#waiters.delete(waiter)
      if (error === undefined) resolve()
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the reason
      // of a signal may be anything
      else reject(error)
    }
    const waiter = { deploymentId, known, settle }
    const onAbort = (): void => settle(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    this.#waiters.add(waiter)
    if (this.#timer === undefined) this.#timer = setTimeout(() => void this.#query(), POLL_MS)
    try {
      await promise
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  async #query(): Promise<void> {
    const waiters = [...this.#waiters]
    try {
      const current = await this.#currentStates(waiters)
      for (const { deploymentId, known, settle } of waiters)
        if (isNews(known, current.get(deploymentId))) settle()
    } catch (error) {
      for (const { settle } of waiters) settle(error)
    }
    this.#timer =
      this.#waiters.size === 0 ? undefined : setTimeout(() => void this.#query(), POLL_MS)
  }

  async #currentStates(waiters: readonly Waiter[]): Promise<Map<string, Required<KnownState>>> {
    if (waiters.length === 0) return new Map()
    const ids = [...new Set(waiters.map(({ deploymentId }) => deploymentId))]
    const { rows } = await sql<{ id: string; sequence: number; reason: string }>`
      SELECT deployment.id, deployment.reason, coalesce(last, 0) AS sequence
        FROM deployment LEFT JOIN aggregate_sequence ON aggregate_id = deployment.id::text
       WHERE deployment.id = ANY(${ids}::uuid[])`.execute(this.#db)
    return new Map(rows.map(({ id, ...state }) => [id, state]))
  }
}

function isNews(known: KnownState, current: Required<KnownState> | undefined): boolean {
  if (current === undefined) return false
  const hasNewReason = known.reason !== undefined && known.reason !== current.reason
  return hasNewReason || current.sequence > known.sequence
}
