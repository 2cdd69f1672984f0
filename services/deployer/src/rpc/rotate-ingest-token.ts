import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  RotateIngestTokenResponseSchema,
  type DeploymentService,
} from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { Violations } from '@slipway/shared/errors'
import { requestOrigin } from '@slipway/shared/rpc'

import type { DeployerContext } from '../context.ts'
import { replaceIngestToken } from '../operations/rotate-ingest-token.ts'

/** Replaces the ingest token of a deployment. */
export function rotateIngestToken(
  context: DeployerContext,
): ServiceImpl<typeof DeploymentService>['rotateIngestToken'] {
  return async ({ account, name }, call) => {
    new Violations().requireFilled({ account, name }).throwIfAny()
    const { accountId, userId } = await context.memberships.require(call, account)
    const actor = { userId, origin: requestOrigin(call), signal: call.signal }
    const time = await replaceIngestToken(context, { accountId, agent: name }, actor)
    return create(RotateIngestTokenResponseSchema, { rotateTime: timestampFromDate(time) })
  }
}
