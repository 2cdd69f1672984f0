import { InvalidInput } from '@slipway/shared/errors'

/** A deploy that fails validation, with all its problems as violations. */
export class ValidationFailed extends InvalidInput {
  /** `problems` have the form `path: problem`. */
  constructor(problems: readonly string[]) {
    const violations = problems.map((problem) => {
      const end = problem.indexOf(': ')
      return { field: problem.slice(0, end), description: problem.slice(end + 2) }
    })
    super('validation_failed', 'the deployment is not valid', { violations })
  }
}
