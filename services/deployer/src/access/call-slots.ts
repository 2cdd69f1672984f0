import type { UserCaller } from '@slipway/shared/auth'
import { RateLimited } from '@slipway/shared/errors'

/** The maximum numbers of calls of a kind that run at the same time. */
export interface SlotLimits {
  readonly total: number
  readonly perAccount: number
  readonly perUser: number
}

/** A kind of call that runs for long. */
export interface SlotKind {
  /** The reason of the error when no slot is left. */
  readonly reason: string
  /** What there are too many of, in the plural. */
  readonly calls: string
  /** What the caller can do about it. */
  readonly remedy: string
}

const RETRY_AFTER_MS = 5_000

/**
 * Limits the calls of a kind that run in this process. Each holds a connection, and one user or
 * account must not use up all of them.
 */
export class CallSlots {
  readonly #kind: SlotKind
  readonly #limits: SlotLimits
  readonly #taken = new Map<string, number>()

  constructor(kind: SlotKind, limits: SlotLimits) {
    this.#kind = kind
    this.#limits = limits
  }

  /** Takes a slot until it is disposed of. Throws RateLimited when none is left. */
  take({ realm, subject }: Pick<UserCaller, 'realm' | 'subject'>, accountId: string): Disposable {
    const limits = [
      { key: JSON.stringify([realm, subject]), limit: this.#limits.perUser, scope: 'by you' },
      { key: accountId, limit: this.#limits.perAccount, scope: 'for the account' },
      { key: '', limit: this.#limits.total, scope: 'in total' },
    ]
    const full = limits.find(({ key, limit }) => this.#count(key) >= limit)
    if (full) {
      const { reason, calls, remedy } = this.#kind
      const message = `too many ${calls} ${full.scope} (at most ${full.limit}); ${remedy}`
      throw new RateLimited(reason, message, { retryAfterMs: RETRY_AFTER_MS })
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

/** Open logs and event streams. */
export const STREAMS: SlotKind = {
  reason: 'too_many_streams',
  calls: 'log and event streams are open',
  remedy: 'close one, or retry later',
}

/** Deploys and rollbacks that wait for their rollout. */
export const WAITS: SlotKind = {
  reason: 'too_many_waits',
  calls: 'deploys and rollbacks are waiting for their rollout',
  remedy: 'retry later, or send the request without wait',
}
