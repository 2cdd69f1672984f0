import type { ValidateDeploymentResponse } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { OMITTED_VIOLATIONS, readRemoteError } from '@slipway/shared/rpc'

import { HttpProblem } from '../../http/problem.ts'
import { validationErrorsOf } from '../../http/problems/to-http-problem.ts'

/** The problem for a deploy that fails its checks. */
export function invalidDeployment({
  violations,
  hasMoreViolations,
}: Pick<ValidateDeploymentResponse, 'violations' | 'hasMoreViolations'>): HttpProblem {
  const more = hasMoreViolations ? `: it has more than ${violations.length} problems` : ''
  return new HttpProblem(400, 'validation_failed', `the deployment is not valid${more}`, {
    validationErrors: validationErrorsOf(violations),
  })
}

/**
 * Completes the error of a deploy. The size of an RPC's error is limited; if it omits violations,
 * they are read with `validate`.
 */
export async function withAllViolations(
  error: unknown,
  validate: () => Promise<ValidateDeploymentResponse>,
): Promise<unknown> {
  if (readRemoteError(error).metadata[OMITTED_VIOLATIONS] === undefined) return error
  const checked = await validate()
  return checked.valid ? error : invalidDeployment(checked)
}
