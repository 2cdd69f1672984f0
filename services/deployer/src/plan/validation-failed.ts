import { DEPLOY_LIMITS } from '@slipway/agent-spec'
import { InvalidInput } from '@slipway/shared/errors'

/** Longer than any path that can be valid. */
const MAX_FIELD_LENGTH = 500
const MAX_DESCRIPTION_LENGTH = 1_000

/** A deploy that fails validation, with its first problems as violations. */
export class ValidationFailed extends InvalidInput {
  /** Whether there are more problems than violations. */
  readonly hasMore: boolean

  /** `problems` have the form `path: problem`. Both parts may contain long names of the request. */
  constructor(problems: readonly string[]) {
    const hasMore = problems.length > DEPLOY_LIMITS.problems
    const violations = problems.slice(0, DEPLOY_LIMITS.problems).map((problem) => {
      const end = problem.indexOf(': ')
      return {
        field: shortened(problem.slice(0, end), MAX_FIELD_LENGTH),
        description: shortened(problem.slice(end + 2), MAX_DESCRIPTION_LENGTH),
      }
    })
    const more = hasMore ? `: it has more than ${DEPLOY_LIMITS.problems} problems` : ''
    super('validation_failed', `the deployment is not valid${more}`, { violations })
    this.hasMore = hasMore
  }
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text
}
