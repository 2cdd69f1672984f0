import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import { GetAccountUsageResponseSchema } from '@slipway/proto/slipway/deployer/v1/account_usage'
import type { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { Violations } from '@slipway/shared/errors'
import { LoadingCache } from '@slipway/shared/loading-cache'

import type { DeployerContext } from '../context.ts'
import { readAccountUse } from '../db/footprints.ts'
import { countRuns } from '../operations/ingestion-runs.ts'
import { quotaUses } from '../plan/account-quota.ts'

/** How long the number of runs is cached. It is counted in the cluster. */
const RUNS_MS = 2_000
const MAX_CACHED = 10_000

/** Returns how much of its limits an account uses in the cluster. */
export function getAccountUsage(
  context: DeployerContext,
): ServiceImpl<typeof DeploymentService>['getAccountUsage'] {
  const runs = new LoadingCache<{ readonly count: number }>({
    maxEntries: MAX_CACHED,
    freshUntil: (_, startedAt) => startedAt + RUNS_MS,
  })
  const runsOf = async (accountId: string) => {
    const load = async () => ({ count: await countRuns(context, accountId) })
    return (runs.get(accountId) ?? (await runs.load(accountId, load))).count
  }
  return async ({ account }, call) => {
    new Violations().requireFilled({ account }).throwIfAny()
    const { accountId } = await context.memberships.require(call, account)
    const use = await readAccountUse(context.db, accountId)
    const limits = context.accountLimits.of(accountId)
    const uses = [
      ...quotaUses(use, limits),
      {
        limit: 'ingestion_runs',
        used: use.size === 0 ? 0 : await runsOf(accountId),
        bound: limits.ingestion_runs,
      },
    ]
    return create(GetAccountUsageResponseSchema, {
      uses: uses.map(({ limit, used, bound }) => ({
        limit,
        used: BigInt(used),
        bound: BigInt(bound),
      })),
    })
  }
}
