import type { FieldViolation } from '@slipway/shared/errors'

import { HttpProblem } from '../../http/problem.ts'
import { validationErrorsOf } from '../../http/to-http-problem.ts'

/** The problem of a deploy that fails its checks. */
export function invalidDeployment(violations: readonly FieldViolation[]): HttpProblem {
  return new HttpProblem(400, 'validation_failed', 'the deployment is not valid', {
    validationErrors: validationErrorsOf(violations),
  })
}
