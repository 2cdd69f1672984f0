import type { ServiceImpl } from '@connectrpc/connect'
import type { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'

import type { ObservabilityContext } from '../context.ts'

/** Returns how much of its limits an account uses in observability. */
export function getAccountUsage({
  memberships,
  spanQuota,
}: ObservabilityContext): ServiceImpl<typeof TraceService>['getAccountUsage'] {
  return async ({ account }, call) => {
    const { accountId } = await memberships.require(call, account)
    const { limit, used, bound } = await spanQuota.use(accountId)
    return { uses: [{ limit, used: BigInt(used), bound: BigInt(bound) }] }
  }
}
