import { HttpProblem } from '../http/problem.ts'

/** Limits of a `ReadSlots`. */
export interface ReadSlotsSettings {
  /** Maximum number of running tasks. */
  readonly slots: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

/**
 * Runs a limited number of tasks at a time, first come, first served. Tasks that wait too long, or
 * find too many others waiting, fail with a 503.
 */
export class ReadSlots {
  readonly #settings: ReadSlotsSettings
  /** Each function hands a slot to a waiting task. The oldest one is first. */
  readonly #waiting = new Set<() => void>()
  #taken = 0

  constructor(settings: ReadSlotsSettings) {
    this.#settings = settings
  }

  /** Runs a task as soon as a slot is free. */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#taken < this.#settings.slots) this.#taken += 1
    else await this.#waitForSlot()
    try {
      return await task()
    } finally {
      this.#releaseSlot()
    }
  }

  async #waitForSlot(): Promise<void> {
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

  /** Hands the slot to the oldest waiting task. */
  #releaseSlot(): void {
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
  return new HttpProblem(503, 'overloaded', 'too many concurrent requests; retry later', {
    retryAfterMs: 1000,
  })
}
