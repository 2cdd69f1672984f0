import { RateLimited } from '@slipway/shared/errors'

const RETRY_AFTER_MS = 1_000
/** Maximum share of one account, so that memory is always left for others. */
const LARGEST_SHARE = 1 / 4

/** Limits the memory of requests in progress, in total and for each account. */
export class MemoryBudget {
  readonly #limitBytes: number
  readonly #usedByAccount = new Map<string, number>()
  #usedBytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  /** Maximum number of bytes for one account. */
  get shareBytes(): number {
    return Math.floor(this.#limitBytes * LARGEST_SHARE)
  }

  /** Takes bytes of the total until disposed. Throws RateLimited when there aren't enough left. */
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

  /** Creates an empty reservation for a request of an account. */
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

/** The memory of one request. It is released when its last hold is disposed of. */
export class Reservation {
  /** Takes bytes, or releases them if the number is negative. */
  readonly #take: (bytes: number) => void
  #takenBytes = 0
  #holders = 0

  constructor(take: (bytes: number) => void) {
    this.#take = take
  }

  /**
   * Takes more bytes. Throws RateLimited when this would exceed the limit of the account or the
   * total.
   */
  grow(bytes: number): void {
    this.#take(bytes)
    this.#takenBytes += bytes
  }

  /** Releases the memory beyond `bytes`. */
  shrinkTo(bytes: number): void {
    if (bytes < this.#takenBytes) this.grow(bytes - this.#takenBytes)
  }

  /** Keeps the memory until this hold and all others are disposed of. */
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
  return new RateLimited('ingest_busy', 'too many spans are being stored; retry later', {
    retryAfterMs: RETRY_AFTER_MS,
  })
}
