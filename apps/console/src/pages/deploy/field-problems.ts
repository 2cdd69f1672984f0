import { ApiError, type FieldProblem } from '@slipway/client'

/** What is wrong with the fields of a form, and what no field of it has. */
export class FieldProblems {
  readonly #byField: ReadonlyMap<string, string>
  readonly #all: readonly FieldProblem[]

  /** `error` is what a check of the server has ended with. */
  constructor(error: unknown) {
    this.#all = error instanceof ApiError ? error.problems : []
    const byField = new Map<string, string>()
    for (const { field, message } of this.#all) {
      const known = byField.get(field)
      byField.set(field, known === undefined ? message : `${known}; ${message}`)
    }
    this.#byField = byField
  }

  /** What is wrong with a field, by its path in the request. */
  of(field: string): string | undefined {
    return this.#byField.get(field)
  }

  /** The problems of fields that the form doesn't show. */
  others(shown: ReadonlySet<string>): readonly FieldProblem[] {
    return this.#all.filter(({ field }) => !shown.has(field))
  }

  /** Number of problems. */
  get count(): number {
    return this.#all.length
  }
}
