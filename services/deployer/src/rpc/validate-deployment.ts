import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  ValidateDeploymentResponseSchema,
  type DeploymentService,
} from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { unknownCredentials } from '@slipway/agent-spec'
import { ImageAvailability } from '@slipway/proto/slipway/deployer/v1/image_check'
import { requestOrigin } from '@slipway/shared/rpc'

import type { DeployerContext } from '../context.ts'
import { dryRun } from '../operations/dry-run.ts'
import { checkImages } from '../plan/check-images.ts'
import { prepareDeploy } from '../plan/prepare-deploy.ts'
import { ValidationFailed } from '../plan/validation-failed.ts'
import { readTarget } from './deploy-target.ts'
import { toPlannedObject } from './plan-mapping.ts'

const AVAILABILITY = {
  none: ImageAvailability.AVAILABLE,
  internal: ImageAvailability.UNKNOWN,
  not_found: ImageAvailability.NOT_FOUND,
  no_access: ImageAvailability.NO_ACCESS,
  unavailable: ImageAvailability.UNKNOWN,
}

/** Validates a deploy without deploying: the same checks, in the same order. */
export function validateDeployment(
  context: DeployerContext,
): ServiceImpl<typeof DeploymentService>['validateDeployment'] {
  return async (request, call) => {
    const target = readTarget(request.target)
    const { accountId, userId } = await context.memberships.require(call, target.account)
    const owner = { user: userId, account: accountId }
    // Asks the cluster about each object.
    using _turn = request.dryRunServer ? await context.operations.wait(owner, call) : undefined
    try {
      const prepared = await prepareDeploy(context, { accountId, ...target }, requestOrigin(call))
      const actor = { userId, signal: call.signal }
      const [{ warnings, plan }, images] = request.dryRunServer
        ? await Promise.all([
            dryRun(context, prepared, actor),
            checkImages(context, prepared, actor),
          ])
        : [{ warnings: [], plan: [] }, []]
      return create(ValidateDeploymentResponseSchema, {
        valid: true,
        buildId: prepared.build.buildId,
        buildChoice: prepared.build.buildChoice,
        ...(prepared.build.version !== undefined && { version: prepared.build.version }),
        name: target.agent,
        sourceAccountId: prepared.build.sourceAccountId,
        warnings: [...prepared.build.warnings, ...unknownCredentials(prepared.filled), ...warnings],
        plan: plan.map(toPlannedObject),
        images: images.map(({ path, image, problem, message }) => ({
          path,
          image,
          availability: AVAILABILITY[problem ?? 'none'],
          message,
        })),
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
