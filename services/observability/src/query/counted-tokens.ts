import type { TraceUsage } from '../domain/trace-usage.ts'
import type { TracedAgent } from '../domain/traced-agent.ts'
import type { QueryParameters } from '../store/engine.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { readUsage } from './read-usage.ts'
import { MAX_RECOUNTED } from './usage-sql.ts'

/** The tokens of the traces that a query can't count by itself. */
export class CountedTokens {
  readonly #reader: TraceReader
  readonly #owner: TracedAgent
  readonly #tails = new Set<number>()
  readonly #usage = new Map<string, TraceUsage>()
  #isPartial = false

  constructor(reader: TraceReader, owner: TracedAgent) {
    this.#reader = reader
    this.#owner = owner
  }

  /** Whether the tokens of some traces aren't worked out. */
  get isPartial(): boolean {
    return this.#isPartial
  }

  /** The parameters of the SQL in `usage-sql.ts`. */
  get parameters(): QueryParameters {
    const usage = [...this.#usage.values()]
    return {
      recountedTails: [...this.#tails],
      recountedTraces: [...this.#usage.keys()],
      recountedInput: usage.map(({ inputTokens }) => String(inputTokens)),
      recountedOutput: usage.map(({ outputTokens }) => String(outputTokens)),
      recountedCached: usage.map(({ cachedTokens }) => String(cachedTokens)),
      recountedCost: usage.map(({ costNanoUsd }) => String(costNanoUsd)),
    }
  }

  /** Works out the tokens of traces by their tails, unless they are too many. */
  async add(found: readonly number[], isWanted: boolean): Promise<boolean> {
    const free = isWanted ? MAX_RECOUNTED - this.#tails.size : 0
    const tails = found.slice(0, free)
    if (tails.length < found.length) this.#isPartial = true
    if (tails.length === 0) return false
    const { usage, isPartial } = await readUsage(this.#reader, this.#owner, tails)
    for (const tail of tails) this.#tails.add(tail)
    for (const [trace, each] of usage) this.#usage.set(trace, each)
    if (isPartial) this.#isPartial = true
    return true
  }
}
