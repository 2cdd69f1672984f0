import { transaction } from '@slipway/shared/db'
import { Conflict, FailedPrecondition, PermissionDenied } from '@slipway/shared/errors'
import { toDomainError } from '@slipway/shared/rpc'

import type { DeployerContext } from '../context.ts'
import {
  holdDeployments,
  listLiveAgents,
  releaseDeployments,
  type DeletionScope,
} from '../db/deletions.ts'
import { lockAccountUse } from '../db/footprints.ts'

/**
 * Longer than a deploy takes from finding its build to storing its intent. If a deletion is
 * interrupted, deploys are refused for as long.
 */
const HOLD_MINUTES = 10
const MAX_NAMES = 20

/** What the catalog has deleted, or would. */
interface Answer {
  readonly accountId: string
  /** Unset for an account. */
  readonly agentId?: string
}

/** The deletion of an agent or an account. */
export interface Deletion<Deleted extends Answer> {
  /** Name of the agent; undefined means the whole account. */
  readonly agent: string | undefined
  readonly dryRun: boolean
  /** Asks the catalog to delete it; with `dryRun` it only checks whether it can. */
  readonly inCatalog: (dryRun: boolean) => Promise<Deleted>
}

/**
 * Deletes an agent or an account in the catalog if it has no live deployment. A deploy that runs
 * meanwhile can't create one: it fails when it stores its intent. Throws Conflict `still_deployed`,
 * and the catalog's errors.
 */
export async function deleteUndeployed<Deleted extends Answer>(
  { db }: Pick<DeployerContext, 'db'>,
  { agent, dryRun, inCatalog }: Deletion<Deleted>,
): Promise<Deleted> {
  const ask = async (isDry: boolean) =>
    await inCatalog(isDry).catch((error: unknown) => {
      throw toDomainError(error)
    })
  const preview = await ask(true)
  const scope = { accountId: preview.accountId, agent }
  const id = preview.agentId ?? preview.accountId
  if (dryRun) {
    refuseIfLive(scope, await listLiveAgents(db, scope, MAX_NAMES + 1))
    return preview
  }
  await transaction(db, async (trx) => {
    await lockAccountUse(trx, scope.accountId)
    refuseIfLive(scope, await listLiveAgents(trx, scope, MAX_NAMES + 1))
    await holdDeployments(trx, id, HOLD_MINUTES)
  })
  try {
    return await ask(false)
  } catch (error) {
    // After any other error, it may be deleted.
    if (error instanceof FailedPrecondition || error instanceof PermissionDenied)
      await releaseDeployments(db, id)
    throw error
  }
}

function refuseIfLive({ agent }: DeletionScope, live: readonly string[]): void {
  if (live.length === 0) return
  const more = live.length > MAX_NAMES ? ', …' : ''
  throw new Conflict(
    'still_deployed',
    agent === undefined
      ? `the account has live deployments: ${live.slice(0, MAX_NAMES).join(', ')}${more}; ` +
          'undeploy them first'
      : `agent ${agent} is deployed; undeploy it first`,
  )
}
