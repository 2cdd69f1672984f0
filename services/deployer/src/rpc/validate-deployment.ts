import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  ValidateDeploymentResponseSchema,
  type DeploymentService,
} from '@slipway/proto/slipway/deployer/v1/deployment_service'

import type { DeployerContext } from '../context.ts'
import { prepareDeploy } from '../deploy/prepare.ts'
import { readTarget } from './deploy-target.ts'

/** Checks a deploy without doing anything: the same checks, in the same order, as the deploy itself. */
export function validateDeployment(
  services: DeployerContext,
): ServiceImpl<typeof DeploymentService>['validateDeployment'] {
  return async (request, context) => {
    const { account, ...target } = readTarget(request.target)
    const { accountId } = await services.memberships.require(context, account)
    const { build } = await prepareDeploy(services, { accountId, ...target })
    return create(ValidateDeploymentResponseSchema, { buildId: build.buildId, name: target.agent })
  }
}
