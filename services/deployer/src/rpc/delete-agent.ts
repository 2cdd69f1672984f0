import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import { DeleteAgentResponseSchema } from '@slipway/proto/slipway/deployer/v1/deletion'
import type { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { Violations } from '@slipway/shared/errors'
import { callAsService, requestOrigin, requireUser } from '@slipway/shared/rpc'

import type { DeployerContext } from '../context.ts'
import { deleteUndeployed } from '../operations/delete-undeployed.ts'

const CATALOG_TIMEOUT_MS = 20_000

/** Deletes an agent without live deployment and published versions. */
export function deleteAgent(
  context: DeployerContext,
): ServiceImpl<typeof DeploymentService>['deleteAgent'] {
  return async ({ account, name, dryRun }, call) => {
    new Violations().requireFilled({ account, name }).throwIfAny()
    const { token: userToken } = requireUser(call)
    const { deleted } = await deleteUndeployed(context, {
      agent: name,
      dryRun,
      async inCatalog(isDry) {
        const request = { account, name, dryRun: isDry, userToken }
        const origin = requestOrigin(call)
        const options = await callAsService(context.serviceToken, CATALOG_TIMEOUT_MS, origin)
        return await context.agents.deleteAgent(request, options)
      },
    })
    return create(DeleteAgentResponseSchema, { ...(deleted && { deleted }) })
  }
}
