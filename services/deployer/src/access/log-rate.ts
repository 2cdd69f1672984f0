import { sleepOrAbort } from '@slipway/shared/waiting'

/** Settings of a LogRate. */
export interface LogRateOptions {
  readonly bytesPerSecond: number
  /** How much a user may read before the rate applies. */
  readonly burstBytes: number
}

/** The bytes that a user has read, less those that the rate has allowed until `at`. */
interface Read {
  readonly bytes: number
  readonly at: number
}

/**
 * Bounds the bytes of logs that a user reads in a second, over all of their streams. Faster streams
 * are read more slowly, and no line is lost: nodes wait, because a log is a file there.
 */
export class LogRate {
  readonly #options: LogRateOptions
  readonly #now: () => number
  /** By user, the one who read longest ago first. */
  readonly #reads = new Map<string, Read>()

  /** `now` is a monotonic clock, in milliseconds. */
  constructor(options: LogRateOptions, now: () => number = () => performance.now()) {
    this.#options = options
    this.#now = now
  }

  /** Counts bytes of a user, and waits until they may be sent. Rejects when the signal fires. */
  async wait(user: string, bytes: number, signal: AbortSignal): Promise<void> {
    const delayMs = this.delayOf(user, bytes)
    if (delayMs > 0) await sleepOrAbort(delayMs, signal)
  }

  /** Counts bytes of a user, and returns after how many milliseconds they may be sent. */
  delayOf(user: string, bytes: number): number {
    const now = this.#now()
    this.#forgetIdle(now)
    const total = this.#left(this.#reads.get(user), now) + bytes
    this.#reads.delete(user)
    this.#reads.set(user, { bytes: total, at: now })
    const { bytesPerSecond, burstBytes } = this.#options
    return Math.max(0, ((total - burstBytes) / bytesPerSecond) * 1000)
  }

  /** The number of users who are remembered. */
  get users(): number {
    return this.#reads.size
  }

  #left(read: Read | undefined, now: number): number {
    if (read === undefined) return 0
    return Math.max(0, read.bytes - ((now - read.at) / 1000) * this.#options.bytesPerSecond)
  }

  #forgetIdle(now: number): void {
    for (const [user, read] of this.#reads) {
      if (this.#left(read, now) > 0) return
      this.#reads.delete(user)
    }
  }
}
