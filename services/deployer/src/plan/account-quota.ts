import {
  exceedsQuota,
  quotaExceeded,
  type AccountLimits,
  type QuotaUse,
} from '@slipway/shared/account-limits'

import type { DeployerContext } from '../context.ts'
import type { DeploymentRow } from '../db/deployments.ts'
import { readAccountUse, readFootprint } from '../db/footprints.ts'
import type { Db } from '../db/tables.ts'
import {
  AMOUNTS,
  eachAmount,
  joinComponents,
  NO_AMOUNTS,
  sumAmounts,
  volumesOf,
  withVolumes,
  type Amounts,
  type Components,
  type Footprint,
} from '../domain/footprint.ts'

/** The use of each limit of an account that is a sum over its live deployments. */
export function quotaUses(
  use: ReadonlyMap<string, Amounts>,
  limits: AccountLimits,
): (QuotaUse & { readonly limit: 'deployments' | keyof Amounts })[] {
  const total = sumAmounts(use.values())
  return [
    { limit: 'deployments', used: use.size, bound: limits.deployments },
    ...AMOUNTS.map((limit) => ({ limit, used: total[limit], bound: limits[limit] })),
  ]
}

/** A revision to check against the limits of its account. */
export interface NextUse {
  readonly accountId: string
  /** Undefined for a new deployment. */
  readonly live: DeploymentRow | undefined
  /** What the components of the revision occupy. */
  readonly components: Components
}

/**
 * Checks that a new revision doesn't exceed the account's limits. What exceeds them already may
 * stay as it is or shrink. Throws FailedPrecondition `quota_exceeded`. Returns what the deployment
 * occupies before; undefined for a new one.
 */
export async function requireQuota(
  { accountLimits }: Pick<DeployerContext, 'accountLimits'>,
  db: Db,
  { accountId, live, components }: NextUse,
): Promise<Footprint | undefined> {
  const use = await readAccountUse(db, accountId)
  const former = live && (await readFootprint(db, live))
  const before = former?.total ?? NO_AMOUNTS
  const after = former ? nextAmounts(components, former) : sumOf(components)
  const added = { deployments: live ? 0 : 1, ...eachAmount((name) => after[name] - before[name]) }
  for (const quota of quotaUses(use, accountLimits.of(accountId))) {
    const more = added[quota.limit]
    if (exceedsQuota(quota, more)) throw quotaExceeded(quota, more)
  }
  return former
}

/**
 * Returns the footprint while a new revision is applied: both it and the components before it may
 * run.
 */
export function applyingFootprint(
  revision: number,
  components: Components,
  former: Footprint | undefined,
): Footprint {
  const joined = joinComponents(components, former?.components ?? {})
  return { revision, isSettled: false, components: joined, total: sumOf(joined) }
}

/**
 * Returns the footprint once `components` are completely applied, and all others removed.
 * `claimSizes` are the volumes in the cluster, by component.
 */
export function settledFootprint(
  revision: number,
  components: Components,
  claimSizes: Readonly<Record<string, number>>,
): Footprint {
  const settled = withVolumes(components, claimSizes)
  return { revision, isSettled: true, components: settled, total: sumOf(settled) }
}

/**
 * After an incomplete apply, components of earlier revisions may stay, however often the agent is
 * deployed. So they count until an apply is complete.
 */
function nextAmounts(components: Components, former: Footprint): Amounts {
  return sumOf(
    former.isSettled
      ? withVolumes(components, volumesOf(former.components))
      : joinComponents(components, former.components),
  )
}

function sumOf(components: Components): Amounts {
  return sumAmounts(Object.values(components))
}
