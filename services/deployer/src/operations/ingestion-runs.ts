import type { V1Job } from '@kubernetes/client-node'
import { describeExcess, exceedsQuota } from '@slipway/shared/account-limits'
import { withAdvisoryLock } from '@slipway/shared/db'
import { Conflict, RateLimited } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import { readAccountUse } from '../db/footprints.ts'
import { bytes, millicores, NO_AMOUNTS, sumAmounts, type Amounts } from '../domain/footprint.ts'
import { keyOf, type KubernetesObject } from '../domain/kubernetes-object.ts'
import {
  ACCOUNT_LABEL,
  COMPONENT_LABEL,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  MANUAL_TRIGGER,
  TRIGGER_LABEL,
} from '../domain/labels.ts'
import { deleteObject } from '../kubernetes/delete.ts'
import { listObjects } from '../kubernetes/read.ts'
import { quotaUses } from '../plan/account-quota.ts'

/** How many finished runs of an ingestion are kept, until they are an hour old. */
const KEPT_RUNS = 10
const RETRY_AFTER_MS = 10_000

/** The Job of a manual run. */
type Run = KubernetesObject & Pick<V1Job, 'spec' | 'status'>

/** A run to start. */
export interface NextRun {
  readonly accountId: string
  readonly namespace: string
  /** Name of the ingestion's component. */
  readonly component: string
  /** Whether it may run more than once at a time. */
  readonly mayOverlap: boolean
  readonly amounts: Amounts
}

/** Returns the number of manual ingestions of an account that run. */
export async function countRuns(context: DeployerContext, accountId: string): Promise<number> {
  return (await listRuns(context, accountId)).filter(isRunning).length
}

/**
 * Starts a run if the account's limits allow it, then deletes the oldest finished runs. Runs of an
 * account start one at a time, so that two calls at once can't both be the last one allowed. Throws
 * RateLimited `too_many_ingestions`: there is room again once a run has ended; and Conflict
 * `ingestion_running`.
 */
export async function startRun<Started>(
  context: DeployerContext,
  next: NextRun,
  callerSignal: AbortSignal,
  start: (signal: AbortSignal) => Promise<Started>,
): Promise<Started> {
  const key = `ingestion-runs:${next.accountId}`
  const options = { tryForMs: context.config.limits.lockWaitMs, signal: callerSignal }
  const outcome = await withAdvisoryLock(context.db, key, options, async (signal) => {
    const runs = await listRuns(context, next.accountId, signal)
    if (!next.mayOverlap) await requireNone(context, next, signal)
    await requireRoom(context, next, runs.filter(isRunning))
    const started = await start(signal)
    await deleteOldest(
      context,
      runs.filter((run) => isOf(next, run) && !isRunning(run)),
    )
    return started
  })
  if (!outcome.acquired) throw tooMany('too many ingestions of the account start at the same time')
  return outcome.result
}

async function requireRoom(
  { db, accountLimits }: DeployerContext,
  next: NextRun,
  running: readonly Run[],
): Promise<void> {
  const limits = accountLimits.of(next.accountId)
  const runs = {
    limit: 'ingestion_runs',
    used: running.length,
    bound: limits.ingestion_runs,
  } as const
  if (exceedsQuota(runs, 1)) throw tooMany(describeExcess(runs, 1))
  // The deployment's own use includes one run of each ingestion. Others need room.
  if (!running.some((run) => isOf(next, run))) return
  const groups = Map.groupBy(running, (run) => `${run.metadata.namespace}/${componentOf(run)}`)
  const others = [...groups.values()].flatMap((group) => group.slice(1).map(amountsOf))
  const use = await readAccountUse(db, next.accountId)
  const total = sumAmounts([...use.values(), ...others])
  for (const { limit, bound } of quotaUses(use, limits)) {
    if (limit === 'deployments') continue
    const quota = { limit, used: total[limit], bound }
    if (exceedsQuota(quota, next.amounts[limit]))
      throw tooMany(describeExcess(quota, next.amounts[limit]))
  }
}

/** The author of a scheduled ingestion relies on one run at a time, however they start. */
async function requireNone(
  { kubernetes }: DeployerContext,
  { namespace, component }: NextRun,
  signal: AbortSignal,
): Promise<void> {
  const labels = { [MANAGED_BY_LABEL]: MANAGED_BY, [COMPONENT_LABEL]: component }
  const query = { apiVersion: 'batch/v1', kind: 'Job', namespace, labels, signal }
  const { items } = await listObjects<Run>(kubernetes, query)
  const open = items.find(isRunning)
  if (open === undefined) return
  throw new Conflict(
    'ingestion_running',
    `the run ${open.metadata.name} of the ingestion has not ended; wait for it, or cancel it`,
  )
}

async function listRuns(
  { kubernetes }: DeployerContext,
  accountId: string,
  signal?: AbortSignal,
): Promise<readonly Run[]> {
  const labels = {
    [MANAGED_BY_LABEL]: MANAGED_BY,
    [ACCOUNT_LABEL]: accountId,
    [TRIGGER_LABEL]: MANUAL_TRIGGER,
  }
  const query = { apiVersion: 'batch/v1', kind: 'Job', namespace: '', labels }
  const { items } = await listObjects<Run>(kubernetes, { ...query, ...(signal && { signal }) })
  return items
}

async function deleteOldest(
  { kubernetes }: DeployerContext,
  finished: readonly Run[],
): Promise<void> {
  const oldest = finished
    .toSorted((a, b) => (createdAt(a) < createdAt(b) ? 1 : -1))
    .slice(KEPT_RUNS)
  // The run has started, so this must not fail the call. Kubernetes deletes them later anyway.
  await Promise.allSettled(oldest.map((run) => deleteObject(kubernetes, keyOf(run))))
}

function isRunning({ status }: Run): boolean {
  return !status?.conditions?.some(
    ({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True',
  )
}

function isOf({ namespace, component }: NextRun, run: Run): boolean {
  return run.metadata.namespace === namespace && componentOf(run) === component
}

function componentOf({ metadata }: Run): string {
  return metadata.labels?.[COMPONENT_LABEL] ?? ''
}

function createdAt({ metadata }: Run): string {
  return metadata.creationTimestamp ?? ''
}

function amountsOf({ spec }: Run): Amounts {
  const limits = spec?.template.spec?.containers[0]?.resources?.limits ?? {}
  return {
    ...NO_AMOUNTS,
    pods: 1,
    cpu: millicores(limits['cpu'] ?? ''),
    memory_bytes: bytes(limits['memory'] ?? ''),
  }
}

function tooMany(message: string): RateLimited {
  return new RateLimited('too_many_ingestions', message, { retryAfterMs: RETRY_AFTER_MS })
}
