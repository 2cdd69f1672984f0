import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  RollbackResponseSchema,
  type DeploymentService,
} from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { Violations } from '@slipway/shared/errors'
import { recordResponse } from '@slipway/shared/idempotency'

import type { DeployerContext } from '../context.ts'
import { rollBackAgent } from '../operations/rollback.ts'
import { actorOf } from './actor-of.ts'
import { answerDeploy, readWait, takeWaitSlot, withoutLogs } from './deploy-answer.ts'

const MAX_REVISION = 2 ** 31 - 1

/** Restores an earlier revision. */
export function rollback(
  context: DeployerContext,
): ServiceImpl<typeof DeploymentService>['rollback'] {
  return async (request, call) => {
    const { account, name, revision } = request
    new Violations()
      .requireFilled({ account, name })
      .requireWithin('revision', revision ?? 1, 1, MAX_REVISION)
      .throwIfAny()
    const waitMs = readWait(request)
    const { accountId, userId } = await context.memberships.require(call, account)
    using _slot = takeWaitSlot(context, call, { accountId, waitMs })
    const actor = actorOf(call, userId)
    const restored = await rollBackAgent(context, { accountId, agent: name, revision }, actor)
    const result = await answerDeploy(context, call, { accountId, waitMs }, restored)
    await recordResponse(call, context.db, { result: withoutLogs(result) })
    return create(RollbackResponseSchema, { result })
  }
}
