import { orAbort } from '../waiting.ts'

/** A sleep that `wake` ends early. Called between two sleeps, `wake` ends the next one. */
export class WakeUp {
  #wake = Promise.withResolvers<void>()

  /** Ends the current sleep, or the next one. */
  wake(): void {
    this.#wake.resolve()
  }

  /** Resolves after `wake`, after `maxMs`, or when `signal` fires. */
  async sleep(maxMs: number, signal: AbortSignal): Promise<void> {
    const timer = setTimeout(() => this.wake(), maxMs)
    try {
      await orAbort(this.#wake.promise, signal)
    } catch {
      // The caller checks its signal.
    } finally {
      clearTimeout(timer)
      this.#wake = Promise.withResolvers()
    }
  }
}
