/**
 * Lends some things, each to one borrower at a time, in the order in which they asked. Who gives up while waiting is
 * passed over.
 */
export class Turns<Thing> {
  readonly #free: Thing[]
  readonly #waiting: ((thing: Thing) => void)[] = []

  constructor(things: readonly Thing[]) {
    this.#free = [...things]
  }

  /** Does work with one of the things once it is free; rejects without having begun when the signal fires before. */
  async use<Result>(signal: AbortSignal, work: (thing: Thing) => Promise<Result>): Promise<Result> {
    signal.throwIfAborted()
    const thing = this.#free.shift() ?? (await this.#wait(signal))
    try {
      return await work(thing)
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free.push(thing)
      else next(thing)
    }
  }

  async #wait(signal: AbortSignal): Promise<Thing> {
    const { promise, resolve, reject } = Promise.withResolvers<Thing>()
    const onAbort = () => {
      const index = this.#waiting.indexOf(resolve)
      if (index === -1) return
      this.#waiting.splice(index, 1)
      reject(signal.reason)
    }
    this.#waiting.push(resolve)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }
}
