/** Notifications on a channel within this time are combined. */
const GATHER_MS = 20

/**
 * Sends NOTIFY outside the transactions that cause it. Postgres commits transactions that notify
 * one at a time: each would wait for the one before it, including its flush to disk.
 */
export class Notifier implements AsyncDisposable {
  readonly #send: (channel: string) => Promise<unknown>
  /** Channels that were just notified. */
  readonly #resting = new Map<string, { isWanted: boolean; timer: NodeJS.Timeout }>()
  readonly #sending = new Set<Promise<unknown>>()

  constructor(send: (channel: string) => Promise<unknown>) {
    this.#send = send
  }

  /** Notifies the listeners of a channel within 20 ms. Lost if the database is unreachable. */
  notifySoon(channel: string): void {
    const resting = this.#resting.get(channel)
    if (resting !== undefined) {
      resting.isWanted = true
      return
    }
    this.#notify(channel)
    const timer = setTimeout(() => this.#endRest(channel), GATHER_MS).unref()
    this.#resting.set(channel, { isWanted: false, timer })
  }

  /** Sends pending notifications. */
  async [Symbol.asyncDispose](): Promise<void> {
    // Sending a pending notification adds its channel to the set again, so the loop visits it
    // twice.
    for (const channel of this.#resting.keys()) this.#endRest(channel)
    await Promise.all(this.#sending)
  }

  #endRest(channel: string): void {
    const resting = this.#resting.get(channel)
    clearTimeout(resting?.timer)
    this.#resting.delete(channel)
    if (resting?.isWanted) this.notifySoon(channel)
  }

  #notify(channel: string): void {
    const sending: Promise<unknown> = this.#send(channel)
      .catch(() => {})
      .finally(() => this.#sending.delete(sending))
    this.#sending.add(sending)
  }
}
