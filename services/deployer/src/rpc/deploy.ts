import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  DeployResponseSchema,
  type DeploymentService,
} from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { recordResponse } from '@slipway/shared/idempotency'

import type { DeployerContext } from '../context.ts'
import { deployAgent } from '../operations/deploy.ts'
import { actorOf } from './actor-of.ts'
import { answerDeploy, readWait, takeWaitSlot, withoutLogs } from './deploy-answer.ts'
import { readTarget } from './deploy-target.ts'

/** Deploys an agent. */
export function deploy(context: DeployerContext): ServiceImpl<typeof DeploymentService>['deploy'] {
  return async (request, call) => {
    const target = readTarget(request.target)
    const waitMs = readWait(request)
    const { accountId, userId } = await context.memberships.require(call, target.account)
    using _slot = takeWaitSlot(context, call, { accountId, waitMs })
    const actor = actorOf(call, userId)
    const deployed = await deployAgent(context, { accountId, ...target }, actor)
    const result = await answerDeploy(context, call, { accountId, waitMs }, deployed)
    await recordResponse(call, context.db, { result: withoutLogs(result) })
    return create(DeployResponseSchema, { result })
  }
}
