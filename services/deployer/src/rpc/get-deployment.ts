import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  GetDeploymentResponseSchema,
  type DeploymentService,
} from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { NotFound, Violations } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import { viewDeployments } from '../db/deployment-views.ts'
import { toDeployment } from './deployment-mapping.ts'

/** Returns a live deployment with its components and pods. */
export function getDeployment(
  context: DeployerContext,
): ServiceImpl<typeof DeploymentService>['getDeployment'] {
  return async ({ account, name }, call) => {
    new Violations().requireFilled({ account, name }).throwIfAny()
    const { accountId } = await context.memberships.require(call, account)
    const [view] = await viewDeployments(context.db, accountId, { agent: name, limit: 1 })
    if (view === undefined)
      throw new NotFound('deployment_not_found', `agent ${name} is not deployed`)
    return create(GetDeploymentResponseSchema, {
      deployment: toDeployment(view, { withPods: true }),
    })
  }
}
