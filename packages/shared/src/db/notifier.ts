/** Notifications of a channel that come closer to each other than this are sent as one. */
const GATHER_MS = 20

/**
 * Sends NOTIFY beside the transactions that give reason for it. Inside of them it would have every
 * commit wait for the one before it, its flush to disk included: Postgres commits what notifies one
 * at a time.
 */
export class Notifier implements AsyncDisposable {
  readonly #send: (channel: string) => Promise<unknown>
  /** Channels that were notified a moment ago. */
  readonly #resting = new Map<string, { isWanted: boolean; timer: NodeJS.Timeout }>()
  readonly #sending = new Set<Promise<unknown>>()

  constructor(send: (channel: string) => Promise<unknown>) {
    this.#send = send
  }

  /**
   * Has the listeners of a channel told, at once or within 20 ms. A hint: when the database is
   * away, it is lost.
   */
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

  /** Sends what is still wanted. */
  async [Symbol.asyncDispose](): Promise<void> {
    // One that is still wanted is sent and rests again, so it comes by a second time.
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
