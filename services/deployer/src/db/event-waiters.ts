import type { Kysely } from 'kysely'
import { sql } from 'kysely'

import type { DeployerSchema } from './tables.ts'

/**
 * How often to query the outbox. It contains each event as soon as it is committed, even when NATS
 * is down.
 */
const POLL_MS = 250

interface Waiter {
  readonly deploymentId: string
  readonly sequence: number
  /** Resolves the wait, or rejects it when an error is given. */
  readonly settle: (error?: unknown) => void
}

/** Waits for events of any number of deployments with one query at a time. */
export class EventWaiters {
  readonly #db: Kysely<DeployerSchema>
  readonly #waiters = new Set<Waiter>()
  #timer: NodeJS.Timeout | undefined

  constructor(db: Kysely<DeployerSchema>) {
    this.#db = db
  }

  /**
   * Waits until a deployment has an event after a sequence number. Throws the signal's reason when
   * the signal fires first.
   */
  async waitForEventAfter(
    deploymentId: string,
    sequence: number,
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const settle = (error?: unknown): void => {
      this.#waiters.delete(waiter)
      if (error === undefined) resolve()
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the reason
      // of a signal may be anything
      else reject(error)
    }
    const waiter = { deploymentId, sequence, settle }
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
      const last =
        waiters.length === 0 ? new Map<string, number>() : await this.#lastSequences(waiters)
      for (const { deploymentId, sequence, settle } of waiters)
        if ((last.get(deploymentId) ?? 0) > sequence) settle()
    } catch (error) {
      for (const { settle } of waiters) settle(error)
    }
    this.#timer =
      this.#waiters.size === 0 ? undefined : setTimeout(() => void this.#query(), POLL_MS)
  }

  async #lastSequences(waiters: readonly Waiter[]): Promise<Map<string, number>> {
    const ids = [...new Set(waiters.map(({ deploymentId }) => deploymentId))]
    const { rows } = await sql<{ aggregate_id: string; last: number }>`
      SELECT aggregate_id, last FROM aggregate_sequence WHERE aggregate_id = ANY(${ids})`.execute(
      this.#db,
    )
    return new Map(rows.map(({ aggregate_id: id, last }) => [id, last]))
  }
}
