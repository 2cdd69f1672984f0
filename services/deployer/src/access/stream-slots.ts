import type { UserCaller } from '@slipway/shared/auth'
import { RateLimited } from '@slipway/shared/errors'

/** How many long answers, logs and event streams, there may be at once. */
export interface StreamLimits {
  readonly total: number
  readonly perAccount: number
  readonly perUser: number
}

const RETRY_AFTER_MS = 5_000

/**
 * Counts the long answers of this process: each holds a connection, and nobody may have them all.
 */
export class StreamSlots {
  readonly #limits: StreamLimits
  readonly #taken = new Map<string, number>()

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  /**
   * Takes a place until it is disposed of; RateLimited `too_many_streams` when there is none left.
   */
  take({ realm, subject }: Pick<UserCaller, 'realm' | 'subject'>, accountId: string): Disposable {
    const places = [
      { key: JSON.stringify([realm, subject]), limit: this.#limits.perUser, whose: 'by you' },
      { key: accountId, limit: this.#limits.perAccount, whose: 'of the account' },
      { key: '', limit: this.#limits.total, whose: 'in all' },
    ]
    const full = places.find(({ key, limit }) => this.#count(key) >= limit)
    if (full) {
      throw new RateLimited(
        'too_many_streams',
        `too many logs and event streams are open ${full.whose}`,
        {
          retryAfterMs: RETRY_AFTER_MS,
        },
      )
    }
    for (const { key } of places) this.#taken.set(key, this.#count(key) + 1)
    let isTaken = true
    return {
      [Symbol.dispose]: () => {
        if (isTaken) for (const { key } of places) this.#release(key)
        isTaken = false
      },
    }
  }

  #count(key: string): number {
    return this.#taken.get(key) ?? 0
  }

  #release(key: string): void {
    const left = this.#count(key) - 1
    if (left > 0) this.#taken.set(key, left)
    else this.#taken.delete(key)
  }
}
