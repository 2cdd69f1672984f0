import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import { GetAccountUsageResponseSchema } from '@slipway/proto/slipway/deployer/v1/account_usage'
import type { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { Violations } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import { readAccountUse } from '../db/footprints.ts'
import { quotaUses } from '../plan/account-quota.ts'

/** Returns how much of its limits an account uses in the cluster. */
export function getAccountUsage(
  context: DeployerContext,
): ServiceImpl<typeof DeploymentService>['getAccountUsage'] {
  return async ({ account }, call) => {
    new Violations().requireFilled({ account }).throwIfAny()
    const { accountId } = await context.memberships.require(call, account)
    const use = await readAccountUse(context.db, accountId)
    const uses = quotaUses(use, context.accountLimits.of(accountId))
    return create(GetAccountUsageResponseSchema, {
      uses: uses.map(({ limit, used, bound }) => ({
        limit,
        used: BigInt(used),
        bound: BigInt(bound),
      })),
    })
  }
}
