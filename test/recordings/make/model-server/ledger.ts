import type { LedgerEntry } from '@slipway/testing/recordings'

import type { Usage } from '../scenario.ts'

/** What the model server has billed since it started. */
export class Ledger {
  readonly bills: LedgerEntry[] = []

  /** Writes down a response. */
  add(api: string, id: string, model: string, turn: number, usage: Usage): void {
    this.bills.push({
      id,
      api,
      model,
      turn,
      input_tokens: usage.input,
      output_tokens: usage.output,
      cached_tokens: usage.cached,
      reasoning_tokens: usage.reasoning,
      ...(usage.written === undefined || usage.written === 0
        ? {}
        : { cache_written_tokens: usage.written }),
    })
  }
}
