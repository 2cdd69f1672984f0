import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import { DeleteAccountResponseSchema } from '@slipway/proto/slipway/deployer/v1/deletion'
import type { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { Violations } from '@slipway/shared/errors'
import { callAsService, requestOrigin, requireUser } from '@slipway/shared/rpc'

import type { DeployerContext } from '../context.ts'
import { deleteUndeployed } from '../operations/delete-undeployed.ts'

/** An account may have thousands of builds. */
const CATALOG_TIMEOUT_MS = 20_000

/** Deletes a team account without live deployments and published versions. */
export function deleteAccount(
  context: DeployerContext,
): ServiceImpl<typeof DeploymentService>['deleteAccount'] {
  return async ({ account, dryRun }, call) => {
    new Violations().requireFilled({ account }).throwIfAny()
    const { token: userToken } = requireUser(call)
    const { deleted } = await deleteUndeployed(context, {
      agent: undefined,
      dryRun,
      async inCatalog(isDry) {
        const request = { account, dryRun: isDry, userToken }
        const origin = requestOrigin(call)
        const options = await callAsService(context.serviceToken, CATALOG_TIMEOUT_MS, origin)
        return await context.accounts.deleteAccount(request, options)
      },
    })
    return create(DeleteAccountResponseSchema, { ...(deleted && { deleted }) })
  }
}
