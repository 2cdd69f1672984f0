import type { DeploymentTemplate } from '@slipway/agent-spec'
import type { AccountLimits } from '@slipway/shared/account-limits'

import {
  eachAmount,
  joinComponents,
  sumAmounts,
  type Components,
  type Footprint,
} from '../domain/footprint.ts'
import type { NamespaceBounds } from '../manifests/quota.ts'

/**
 * Room for rollouts: pods that run, pods that replace them, and pods that are still terminating.
 * Without it, an update at the limit would wait forever.
 */
const ROLLOUT_FACTOR = 3
/** Jobs of an ingestion that a namespace has room for: those that are kept, and some spare. */
const JOBS_PER_INGESTION = 20

/**
 * Returns the bounds of a deployment's namespace. They follow from the account's limits rather than
 * from the deployment's size, so that it can grow, shrink and be scaled without a change of its
 * quota, in any order. A deployment that exceeds the limits keeps the room that it has.
 */
export function namespaceBounds(
  limits: AccountLimits,
  template: DeploymentTemplate,
  components: Components,
  former: Footprint | undefined,
): NamespaceBounds {
  const joined = joinComponents(components, former?.components ?? {})
  const total = sumAmounts(Object.values(joined))
  const most = eachAmount((name) => Math.max(limits[name], total[name]))
  const withRoom = (amount: number) => Math.min(ROLLOUT_FACTOR * amount, Number.MAX_SAFE_INTEGER)
  const ingestions = Object.keys(template.ingestion).length
  return {
    pods: withRoom(most.pods),
    cpu: withRoom(most.cpu),
    memoryBytes: withRoom(most.memory_bytes),
    // Volumes aren't replaced in a rollout.
    storageBytes: most.storage_bytes,
    gpus: withRoom(most.gpus),
    jobs: limits.ingestion_runs + JOBS_PER_INGESTION * (ingestions + 1),
  }
}
