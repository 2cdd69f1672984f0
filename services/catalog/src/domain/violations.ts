import { InvalidInput, type FieldViolation } from '@slipway/shared/errors'

/**
 * Collects what is wrong with the fields of a request, so that a caller learns everything at once.
 */
export class Violations {
  readonly #found: FieldViolation[] = []

  /** Notes a problem of a field unless the condition holds. */
  require(isGood: boolean, field: string, description: string): this {
    if (!isGood) this.#found.push({ field, description })
    return this
  }

  /** Throws InvalidInput when anything was noted. */
  throwIfAny(): void {
    const [first] = this.#found
    if (first === undefined) return
    throw new InvalidInput('invalid_argument', `${first.field} ${first.description}`, {
      violations: this.#found,
    })
  }
}
