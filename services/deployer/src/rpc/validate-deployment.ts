import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  ValidateDeploymentResponseSchema,
  type DeploymentService,
} from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { unknownCredentials } from '@slipway/agent-spec'
import { requestOrigin } from '@slipway/shared/rpc'

import type { DeployerContext } from '../context.ts'
import { dryRun } from '../operations/dry-run.ts'
import { prepareDeploy } from '../plan/prepare-deploy.ts'
import { ValidationFailed } from '../plan/validation-failed.ts'
import { readTarget } from './deploy-target.ts'

/** Validates a deploy without deploying: the same checks, in the same order. */
export function validateDeployment(
  context: DeployerContext,
): ServiceImpl<typeof DeploymentService>['validateDeployment'] {
  return async (request, call) => {
    const { account, ...target } = readTarget(request.target)
    const { accountId, userId } = await context.memberships.require(call, account)
    const owner = { user: userId, account: accountId }
    // Asks the cluster about each object.
    using _turn = request.dryRunServer ? await context.operations.wait(owner, call) : undefined
    try {
      const prepared = await prepareDeploy(context, { accountId, ...target }, requestOrigin(call))
      const warnings = request.dryRunServer ? await dryRun(context, prepared, call.signal) : []
      return create(ValidateDeploymentResponseSchema, {
        valid: true,
        buildId: prepared.build.buildId,
        name: target.agent,
        warnings: [...unknownCredentials(prepared.filled), ...warnings],
      })
    } catch (error) {
      if (!(error instanceof ValidationFailed)) throw error
      return create(ValidateDeploymentResponseSchema, {
        name: target.agent,
        violations: error.violations.map((violation) => ({ ...violation })),
        hasMoreViolations: error.hasMore,
      })
    }
  }
}
