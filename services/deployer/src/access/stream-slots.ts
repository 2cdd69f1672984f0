import type { UserCaller } from '@slipway/shared/auth'
import { RateLimited } from '@slipway/shared/errors'

/** The maximum numbers of open streams (logs and events). */
export interface StreamLimits {
  readonly total: number
  readonly perAccount: number
  readonly perUser: number
}

const RETRY_AFTER_MS = 5_000

/**
 * Limits the open streams of this process. Each stream holds a connection, and one user or account
 * must not use up all of them.
 */
export class StreamSlots {
  readonly #limits: StreamLimits
  readonly #taken = new Map<string, number>()

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  /**
   * Takes a slot until it is disposed of. Throws RateLimited `too_many_streams` when none is left.
   */
  take({ realm, subject }: Pick<UserCaller, 'realm' | 'subject'>, accountId: string): Disposable {
    const limits = [
      { key: JSON.stringify([realm, subject]), limit: this.#limits.perUser, scope: 'by you' },
      { key: accountId, limit: this.#limits.perAccount, scope: 'for the account' },
      { key: '', limit: this.#limits.total, scope: 'in total' },
    ]
    const full = limits.find(({ key, limit }) => this.#count(key) >= limit)
    if (full) {
      throw new RateLimited(
        'too_many_streams',
        `too many log and event streams are open ${full.scope}; close one, or retry later`,
        {
          retryAfterMs: RETRY_AFTER_MS,
        },
      )
    }
    for (const { key } of limits) this.#taken.set(key, this.#count(key) + 1)
    let isTaken = true
    return {
      [Symbol.dispose]: () => {
        if (isTaken) for (const { key } of limits) this.#release(key)
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
