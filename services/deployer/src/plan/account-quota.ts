import type { AccountLimits, QuotaUse } from '@slipway/shared/account-limits'

import { AMOUNTS, sumAmounts, type Amounts } from '../domain/footprint.ts'

/** The use of each limit of an account that is a sum over its live deployments. */
export function quotaUses(
  use: ReadonlyMap<string, Amounts>,
  limits: AccountLimits,
): readonly QuotaUse[] {
  const total = sumAmounts(use.values())
  return [
    { limit: 'deployments', used: use.size, bound: limits.deployments },
    ...AMOUNTS.map((limit) => ({ limit, used: total[limit], bound: limits[limit] })),
  ]
}
