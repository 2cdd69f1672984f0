/** The next interval, as a fraction of the time since the first poll. */
const INTERVAL_FRACTION = 1 / 8
const MAX_INTERVAL_MS = 5_000

/**
 * Decides which keys of a changing set to poll: a new key immediately, then less often the longer
 * it stays, so that deployments that never become ready cost little.
 */
export class PollBackoff {
  readonly #known = new Map<string, { readonly since: number; readonly next: number }>()

  /** Returns the keys that are due at `now`, in milliseconds. `keys` is the whole current set. */
  due(keys: ReadonlySet<string>, now: number): Set<string> {
    for (const key of this.#known.keys()) if (!keys.has(key)) this.#known.delete(key)
    const due = new Set<string>()
    for (const key of keys) {
      const { since, next } = this.#known.get(key) ?? { since: now, next: now }
      if (next > now) continue
      due.add(key)
      this.#known.set(key, {
        since,
        next: now + Math.min((now - since) * INTERVAL_FRACTION, MAX_INTERVAL_MS),
      })
    }
    return due
  }
}
