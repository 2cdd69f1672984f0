/** Counts what was rejected, by reason. */
export class Rejections {
  readonly #counts = new Map<string, number>()

  /** One more for this reason. */
  add(reason: string): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1)
  }

  /** How many there are in all. */
  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
  }

  /** What was wrong, the most frequent first; empty when nothing was. */
  get message(): string {
    return [...this.#counts]
      .toSorted(([, a], [, b]) => b - a)
      .map(([reason, count]) => `${count} × ${reason}`)
      .join('; ')
  }
}
