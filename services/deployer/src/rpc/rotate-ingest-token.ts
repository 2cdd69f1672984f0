import { create } from '@bufbuild/protobuf'
import { durationMs, timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import type { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { RotateIngestTokenResponseSchema } from '@slipway/proto/slipway/deployer/v1/rotate_ingest_token'
import { Violations } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import { replaceIngestToken } from '../operations/rotate-ingest-token.ts'
import { actorOf } from './actor-of.ts'

const MAX_GRACE_SECONDS = 86_400

/** Replaces the ingest token of a deployment. */
export function rotateIngestToken(
  context: DeployerContext,
): ServiceImpl<typeof DeploymentService>['rotateIngestToken'] {
  return async ({ account, name, grace }, call) => {
    const graceMs = grace && durationMs(grace)
    new Violations()
      .requireFilled({ account, name })
      .requireWithin('grace', (graceMs ?? 0) / 1000, 0, MAX_GRACE_SECONDS)
      .throwIfAny()
    const { accountId, userId } = await context.memberships.require(call, account)
    const actor = actorOf(call, userId)
    const { rotateTime, formerExpireTime } = await replaceIngestToken(
      context,
      { accountId, agent: name },
      actor,
      graceMs === undefined ? 'until_ready' : { ms: graceMs },
    )
    return create(RotateIngestTokenResponseSchema, {
      rotateTime: timestampFromDate(rotateTime),
      ...(formerExpireTime && { formerExpireTime: timestampFromDate(formerExpireTime) }),
    })
  }
}
