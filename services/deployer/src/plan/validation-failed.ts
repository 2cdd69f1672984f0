import { InvalidInput } from '@slipway/shared/errors'

/** A deploy that fails its checks. The violations are all of its problems. */
export class ValidationFailed extends InvalidInput {
  /** Each problem is `path: problem`. */
  constructor(problems: readonly string[]) {
    const violations = problems.map((problem) => {
      const end = problem.indexOf(': ')
      return { field: problem.slice(0, end), description: problem.slice(end + 2) }
    })
    super('validation_failed', 'the deployment is not valid', { violations })
  }
}
