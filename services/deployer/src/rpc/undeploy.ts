import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  UndeployResponseSchema,
  type DeploymentService,
} from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { Violations } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import { undeployAgent } from '../operations/undeploy.ts'
import { actorOf } from './actor-of.ts'

/** Removes a deployment and its namespace. */
export function undeploy(
  context: DeployerContext,
): ServiceImpl<typeof DeploymentService>['undeploy'] {
  return async ({ account, name }, call) => {
    new Violations().requireFilled({ account, name }).throwIfAny()
    const { accountId, userId } = await context.memberships.require(call, account)
    const actor = actorOf(call, userId)
    const target = { accountId, agent: name }
    const { subject, undeployTime } = await undeployAgent(context, target, actor)
    const { agent, buildId, k8sNamespace } = subject
    return create(UndeployResponseSchema, {
      name: agent,
      buildId,
      k8sNamespace,
      undeployTime: timestampFromDate(undeployTime),
    })
  }
}
