/** How much of the time that it has been waited for already passes until the next look. */
const SHARE = 1 / 8
const MAX_INTERVAL_MS = 5_000

/**
 * Tells what of a changing list is to be looked at: everything at once when it is new, then the
 * less often the longer it stays. However many deployments never get ready, looking at them costs
 * little.
 */
export class PollBackoff {
  readonly #known = new Map<string, { readonly since: number; readonly next: number }>()

  /** Which of these keys, which are all that there are, are due at `now`, in milliseconds. */
  due(keys: ReadonlySet<string>, now: number): Set<string> {
    for (const key of this.#known.keys()) if (!keys.has(key)) this.#known.delete(key)
    const due = new Set<string>()
    for (const key of keys) {
      const { since, next } = this.#known.get(key) ?? { since: now, next: now }
      if (next > now) continue
      due.add(key)
      this.#known.set(key, { since, next: now + Math.min((now - since) * SHARE, MAX_INTERVAL_MS) })
    }
    return due
  }
}
