import type { Kysely } from 'kysely'
import { sql } from 'kysely'

import type { DeployerSchema } from './tables.ts'

/**
 * How often the outbox is looked at: it has every event from the moment of its commit, NATS or not.
 */
const POLL_MS = 250

interface Waiter {
  readonly deploymentId: string
  readonly sequence: number
  /** Ends the wait, well or with an error. */
  readonly settle: (error?: unknown) => void
}

/**
 * Those who wait for events of deployments, however many: one query after the other looks for all
 * of them.
 */
export class EventWaiters {
  readonly #db: Kysely<DeployerSchema>
  readonly #waiters = new Set<Waiter>()
  #timer: NodeJS.Timeout | undefined

  constructor(db: Kysely<DeployerSchema>) {
    this.#db = db
  }

  /**
   * Waits until a deployment has an event after a sequence number; throws the signal's reason when
   * that fires first.
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
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- whatever the signal or
      // the database gave
      else reject(error)
    }
    const waiter = { deploymentId, sequence, settle }
    const onAbort = (): void => settle(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    this.#waiters.add(waiter)
    if (this.#timer === undefined) this.#timer = setTimeout(() => void this.#look(), POLL_MS)
    try {
      await promise
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  async #look(): Promise<void> {
    const asked = [...this.#waiters]
    try {
      const last = asked.length === 0 ? new Map<string, number>() : await this.#lastSequences(asked)
      for (const { deploymentId, sequence, settle } of asked)
        if ((last.get(deploymentId) ?? 0) > sequence) settle()
    } catch (error) {
      for (const { settle } of asked) settle(error)
    }
    this.#timer =
      this.#waiters.size === 0 ? undefined : setTimeout(() => void this.#look(), POLL_MS)
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
