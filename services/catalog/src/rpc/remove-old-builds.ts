import type { Kysely } from 'kysely'

import { countBuilds, type LockedAgent } from '../db/builds.ts'
import { deleteBuilds, findOldestUnpublished } from '../db/deletions.ts'
import type { CatalogSchema } from '../db/tables.ts'

/** Bounds the cost of one registration; an agent with more old builds loses them step by step. */
const MAX_REMOVED = 100

/**
 * Deletes the oldest unpublished builds of an agent to which a build was just added, until `kept`
 * unpublished ones are left. Deployments don't need them: their revisions contain the build.
 */
export async function removeOldBuilds(
  trx: Kysely<CatalogSchema>,
  agent: LockedAgent,
  kept: number,
): Promise<void> {
  const unpublished = countBuilds(agent) + 1 - agent.version_count
  if (unpublished <= kept) return
  const ordinals = await findOldestUnpublished(trx, {
    agentId: agent.id,
    limit: Math.min(unpublished - kept, MAX_REMOVED),
  })
  await deleteBuilds(trx, { agentId: agent.id, ordinals })
}
