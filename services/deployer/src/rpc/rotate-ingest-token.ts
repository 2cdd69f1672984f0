import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  RotateIngestTokenResponseSchema,
  type DeploymentService,
} from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { requestOrigin } from '@slipway/shared/rpc'

import type { DeployerContext } from '../context.ts'
import { rotateIngestToken } from '../operations/rotate-ingest-token.ts'
import { missingFields, refuseViolations } from '../domain/request-checks.ts'

/** Replaces the ingest token of a deployment. */
export function rotateAgentIngestToken(
  services: DeployerContext,
): ServiceImpl<typeof DeploymentService>['rotateIngestToken'] {
  return async ({ account, name }, context) => {
    refuseViolations(missingFields({ account, name }))
    const { accountId, userId } = await services.memberships.require(context, account)
    const actor = { userId, origin: requestOrigin(context), signal: context.signal }
    const time = await rotateIngestToken(services, { accountId, agent: name }, actor)
    return create(RotateIngestTokenResponseSchema, { rotateTime: timestampFromDate(time) })
  }
}
