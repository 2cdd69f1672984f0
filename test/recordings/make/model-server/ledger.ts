import type { Usage } from '../scenario.ts'

/** One response that the model server has billed. */
export interface Bill {
  readonly id: string
  readonly api: string
  readonly model: string
  /** The turn of the scenario that it belongs to, from 0. */
  readonly turn: number
  /** Includes `cached_tokens`. */
  readonly input_tokens: number
  /** Includes `reasoning_tokens`. */
  readonly output_tokens: number
  readonly cached_tokens: number
  readonly reasoning_tokens: number
}

/** What the model server has billed since it started. */
export class Ledger {
  readonly bills: Bill[] = []

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
    })
  }
}
