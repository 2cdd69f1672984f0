import { RateLimited } from '@slipway/shared/errors'
import { FairQueue, type FairShare, type Owner } from '@slipway/shared/fair-queue'

import type { SpanOwner } from '../../domain/span.ts'

const RETRY_AFTER_MS = 1_000
/** Maximum share of one user and of one account, so that memory is always left for others. */
const LARGEST_SHARE = 1 / 4

/** Bounds the memory of requests in progress, in bytes: in total, per user and per account. */
export function createIngestMemory(totalBytes: number): FairQueue {
  const share = Math.floor(totalBytes * LARGEST_SHARE)
  return new FairQueue({
    running: { total: totalBytes, perUser: share, perAccount: share },
    refusal: () =>
      new RateLimited('ingest_busy', 'too many spans are being stored; retry later', {
        retryAfterMs: RETRY_AFTER_MS,
      }),
  })
}

/**
 * For whom the memory and the turns of a request count. A user may own any number of accounts, so
 * the user who deployed the agent counts too.
 */
export function queueOwner({ accountId, deployedBy }: SpanOwner): Owner {
  return { user: deployedBy === '' ? accountId : deployedBy, account: accountId }
}

/** The memory of one request. It is released when its last hold is disposed of. */
export class Reservation {
  readonly #share: FairShare
  #holders = 0

  constructor(share: FairShare) {
    this.#share = share
  }

  /** Takes more bytes. Throws RateLimited when there is no room for them. */
  grow(bytes: number): void {
    this.#share.grow(bytes)
  }

  /** Releases some of the memory. */
  shrinkBy(bytes: number): void {
    this.#share.shrinkBy(bytes)
  }

  /** Releases the memory beyond `bytes`. */
  shrinkTo(bytes: number): void {
    this.#share.shrinkTo(bytes)
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
