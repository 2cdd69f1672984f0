import { RateLimited } from '@slipway/shared/errors'

const RETRY_AFTER_MS = 1_000
/** Nobody gets more than this part of the whole, so that the others always have room. */
const LARGEST_SHARE = 1 / 4

/** Bounds how many bytes of requests are in memory at once, for all and for each account. */
export class MemoryBudget {
  readonly #limitBytes: number
  readonly #usedByAccount = new Map<string, number>()
  #usedBytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  /** Most that one account gets. */
  get shareBytes(): number {
    return Math.floor(this.#limitBytes * LARGEST_SHARE)
  }

  /**
   * Takes a part of the whole until it is disposed of; throws RateLimited when there isn't enough.
   */
  take(bytes: number): Disposable {
    if (this.#usedBytes + bytes > this.#limitBytes) throw busy()
    this.#usedBytes += bytes
    let isTaken = true
    return {
      [Symbol.dispose]: () => {
        if (isTaken) this.#usedBytes -= bytes
        isTaken = false
      },
    }
  }

  /** Begins a request of an account, which has taken nothing yet. */
  open(accountId: string): Reservation {
    return new Reservation((bytes) => this.#takeFor(accountId, bytes))
  }

  #takeFor(accountId: string, bytes: number): void {
    const used = (this.#usedByAccount.get(accountId) ?? 0) + bytes
    if (bytes > 0 && (used > this.shareBytes || this.#usedBytes + bytes > this.#limitBytes))
      throw busy()
    this.#usedBytes += bytes
    if (used === 0) this.#usedByAccount.delete(accountId)
    else this.#usedByAccount.set(accountId, used)
  }
}

/** What one request has taken. It goes back when nobody holds it any more. */
export class Reservation {
  /** Takes bytes, or gives them back when they are less than none. */
  readonly #take: (bytes: number) => void
  #takenBytes = 0
  #holders = 0

  constructor(take: (bytes: number) => void) {
    this.#take = take
  }

  /**
   * Takes more; throws RateLimited when the account has its share, or all together have everything.
   */
  grow(bytes: number): void {
    this.#take(bytes)
    this.#takenBytes += bytes
  }

  /** Gives back what is more than this. */
  shrinkTo(bytes: number): void {
    if (bytes < this.#takenBytes) this.grow(bytes - this.#takenBytes)
  }

  /** Keeps what is taken until this is disposed of, and every other hold too. */
  hold(): Disposable {
    this.#holders += 1
    let isHeld = true
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return
        isHeld = false
        this.#holders -= 1
        if (this.#holders === 0) this.shrinkTo(0)
      },
    }
  }
}

function busy(): RateLimited {
  return new RateLimited('ingest_busy', 'too much is being stored at once; send it again later', {
    retryAfterMs: RETRY_AFTER_MS,
  })
}
