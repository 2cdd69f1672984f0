/** Counts the rejected spans of a request by reason. */
export class Rejections {
  readonly #counts = new Map<string, number>()

  add(reason: string): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1)
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
  }

  /** The reasons with their counts, most frequent first; empty if there are none. */
  get message(): string {
    return [...this.#counts]
      .toSorted(([, a], [, b]) => b - a)
      .map(([reason, count]) => `${count} × ${reason}`)
      .join('; ')
  }
}
