import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  GetDeploymentResponseSchema,
  type DeploymentService,
} from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { NotFound, Violations } from '@slipway/shared/errors'

import { callOwner } from '../access/call-queues.ts'
import type { DeployerContext } from '../context.ts'
import { viewDeployments } from '../db/deployment-views.ts'
import { toDeployment } from './deployment-mapping.ts'
import { toFailure, withReasons } from './failure-mapping.ts'

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
    const owner = callOwner(call, accountId)
    const { failures, warnings } = await context.failures.read(
      view.deployment,
      view.components,
      owner,
    )
    const { whole, components } = withReasons(view.deployment, view.components, failures)
    return create(GetDeploymentResponseSchema, {
      deployment: toDeployment({ ...view, deployment: whole, components }, { withPods: true }),
      failures: failures.map(toFailure),
      warnings: [...warnings],
    })
  }
}
