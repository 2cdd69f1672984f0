import { HttpProblem } from '../http/problem.ts'

/** How many may work at a time, how many wait for that, and how long. */
export interface ReadSlotsSettings {
  readonly places: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

/**
 * Places to work in, first come, first served. Who can't wait any more, or waited too long, is told
 * to come later.
 */
export class ReadSlots {
  readonly #settings: ReadSlotsSettings
  /** Each hands the place to who waits; the oldest comes first. */
  readonly #waiting = new Set<() => void>()
  #taken = 0

  constructor(settings: ReadSlotsSettings) {
    this.#settings = settings
  }

  /** Does the work as soon as there is a place for it. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#taken < this.#settings.places) this.#taken += 1
    else await this.#handedOver()
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #handedOver(): Promise<void> {
    const { maxWaiting, maxWaitMs } = this.#settings
    if (this.#waiting.size >= maxWaiting) throw overloaded()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)
    const timer = setTimeout(() => {
      this.#waiting.delete(resolve)
      reject(overloaded())
    }, maxWaitMs)
    try {
      await promise
    } finally {
      clearTimeout(timer)
    }
  }

  /** Hands the place to the next who waits. */
  #leave(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#taken -= 1
      return
    }
    this.#waiting.delete(next)
    next()
  }
}

function overloaded(): HttpProblem {
  return new HttpProblem(503, 'overloaded', 'too many requests at once', { retryAfterMs: 1000 })
}
