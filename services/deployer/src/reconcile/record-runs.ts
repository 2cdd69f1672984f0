import { transaction } from '@slipway/shared/db'

import type { DeployerContext } from '../context.ts'
import type { DeploymentRow } from '../db/deployments.ts'
import {
  deleteOldRuns,
  latestEnds,
  listTrackedRuns,
  storeRun,
  type IngestionRunRow,
} from '../db/ingestion-runs.ts'
import type { RevisionFacts } from '../db/revisions.ts'
import { isFinal, observeRun, type ObservedRun, type RunJob } from '../domain/ingestion-run.ts'
import { appendDeploymentEvent, subjectOf } from '../events/deployment-events.ts'
import { deleteObject } from '../kubernetes/delete.ts'
import type { ClusterView } from './cluster-view.ts'
import { toRunPod } from './run-facts.ts'

/** The watch of a busy API server may report a new Job only some seconds after it was created. */
const MISSING_GRACE_MS = 60_000

/** What the runs of a deployment's ingestions say about its components. */
export interface RunFindings {
  /** Why an ingestion fails, by component. */
  readonly failing: ReadonlyMap<string, string>
  /** The ingestions whose last run has succeeded, or was canceled. */
  readonly settled: ReadonlySet<string>
}

const NOTHING: RunFindings = { failing: new Map(), settled: new Set() }

/** The deployment that runs belong to, as it is now. */
export interface RunOwner {
  readonly deployment: DeploymentRow
  /** The live revision. */
  readonly revision: RevisionFacts
  readonly hasIngestions: boolean
  /** The template hashes of its cron jobs, by component. */
  readonly cronTemplates: ReadonlyMap<string, string>
}

/**
 * Stores the runs of a deployment's ingestions as they are in the cluster, and ends those that
 * don't start. Runs of earlier revisions say nothing about the components.
 */
export async function recordRuns(
  context: DeployerContext,
  view: ClusterView,
  owner: RunOwner,
): Promise<RunFindings> {
  const { deployment } = owner
  const jobs = view.runsOf(deployment.id)
  if (!owner.hasIngestions && jobs.length === 0) return NOTHING
  const uids = jobs.map(({ uid }) => uid)
  const rows = await listTrackedRuns(context.db, deployment.id, uids)
  const known = new Map(rows.map((row) => [row.job_uid, row]))
  const observed = observeAll(view, owner, jobs, known)
  const current = [...observed.map(({ row }) => row), ...vanished(rows, uids)]
  await storeAll(
    context,
    owner,
    current.filter((row) => !isSame(row, known.get(row.job_uid))),
  )
  const ended = await endWaiting(context, owner, observed)
  await storeAll(context, owner, ended)
  return await findingsOf(context, owner, observed)
}

interface Observation {
  readonly job: RunJob
  readonly run: ObservedRun
  readonly row: IngestionRunRow
}

function observeAll(
  view: ClusterView,
  { deployment: { id }, revision: { revision } }: RunOwner,
  jobs: readonly RunJob[],
  known: ReadonlyMap<string, IngestionRunRow>,
): Observation[] {
  const now = Date.now()
  const pods = Map.groupBy(view.podsOf(id), ({ run }) => run?.jobUid)
  return jobs.map((job) => {
    const own = (pods.get(job.uid) ?? []).flatMap((pod) =>
      pod.run ? toRunPod(pod, pod.run, now) : [],
    )
    const run = observeRun(job, own)
    return { job, run, row: rowOf(id, revision, job, run, known.get(job.uid)) }
  })
}

/** A run's pods may be deleted before it ends, so what was known of them is kept. */
function rowOf(
  deploymentId: string,
  revision: number,
  job: RunJob,
  run: ObservedRun,
  known: IngestionRunRow | undefined,
): IngestionRunRow {
  if (known && isFinal(known.state)) return known
  const hasStarted = known?.state === 'running' && run.state === 'pending'
  return {
    deployment_id: deploymentId,
    job_uid: job.uid,
    component: job.component,
    name: job.name,
    trigger: job.trigger,
    state: hasStarted ? 'running' : run.state,
    reason: run.reason,
    revision: known?.revision ?? revision,
    create_time: known?.create_time ?? new Date(job.createdAt),
    start_time: known?.start_time ?? toDate(run.startedAt),
    end_time: toDate(run.endedAt),
    exit_code: run.exitCode ?? known?.exit_code ?? null,
    attempts: Math.max(run.attempts, known?.attempts ?? 0),
    pod: run.pod === '' ? (known?.pod ?? '') : run.pod,
  }
}

/** The runs whose Jobs no longer exist: their ingestion was removed, or a user deleted them. */
function vanished(rows: readonly IngestionRunRow[], uids: readonly string[]): IngestionRunRow[] {
  const present = new Set(uids)
  const before = Date.now() - MISSING_GRACE_MS
  return rows
    .filter(
      ({ job_uid: uid, state, create_time: time }) =>
        !present.has(uid) && !isFinal(state) && time.getTime() < before,
    )
    .map((row) => ({
      ...row,
      state: 'canceled',
      reason: 'its Job was deleted',
      end_time: new Date(),
    }))
}

async function storeAll(
  { db }: DeployerContext,
  { deployment, revision }: RunOwner,
  rows: readonly IngestionRunRow[],
): Promise<void> {
  if (rows.length === 0) return
  const origin = { requestId: revision.request_id, traceparent: revision.traceparent }
  await transaction(db, async (trx) => {
    for (const row of rows) {
      const isStored = await storeRun(trx, row)
      if (!isStored || row.state !== 'failed') continue
      const { component, name: run, reason, exit_code: exitCode } = row
      const subject = subjectOf(deployment, revision, row.revision)
      const event = { kind: 'ingestion_failed', component, run, reason, exitCode } as const
      await appendDeploymentEvent(trx, subject, event, origin)
    }
    await deleteOldRuns(trx, deployment.id)
  })
}

/** Deletes the Jobs of runs that wait for too long, or in vain. Returns these runs as ended. */
async function endWaiting(
  context: DeployerContext,
  owner: RunOwner,
  observed: readonly Observation[],
): Promise<IngestionRunRow[]> {
  const ended: IngestionRunRow[] = []
  for (const { job, row } of observed) {
    const end = row.state === 'pending' ? endOf(context, owner, job, row) : undefined
    if (end === undefined) continue
    const namespace = owner.deployment.k8s_namespace
    const key = { apiVersion: 'batch/v1', kind: 'Job', namespace, name: job.name }
    try {
      await deleteObject(context.kubernetes, key, { uid: job.uid })
      ended.push({ ...row, ...end, end_time: new Date() })
    } catch (error) {
      context.logger.warn({ err: error, deployment_id: row.deployment_id }, 'run_not_ended')
    }
  }
  return ended
}

/** Why a run that has not started is ended; undefined if it isn't. */
function endOf(
  { config }: DeployerContext,
  { deployment, cronTemplates }: RunOwner,
  job: RunJob,
  row: IngestionRunRow,
): Pick<IngestionRunRow, 'state' | 'reason'> | undefined {
  // A revision that doesn't change the ingestion leaves its scheduled runs alone.
  const template = cronTemplates.get(job.component)
  if (row.revision !== deployment.live_revision && job.templateHash !== template)
    return { state: 'canceled', reason: 'a newer revision replaced it before it started' }
  const seconds = config.workloads.manifests.ingestionStartSeconds
  if (row.create_time.getTime() + seconds * 1000 > Date.now()) return undefined
  const why = row.reason === '' ? '' : `: ${row.reason}`
  return { state: 'failed', reason: `it did not start within ${seconds} s${why}` }
}

async function findingsOf(
  { db }: DeployerContext,
  { deployment: { id }, revision: { revision } }: RunOwner,
  observed: readonly Observation[],
): Promise<RunFindings> {
  const failing = new Map<string, string>()
  const settled = new Set<string>()
  for (const { component, state, name, reason } of await latestEnds(db, id, revision)) {
    if (state === 'failed') failing.set(component, `the run ${name} failed: ${reason}`)
    else settled.add(component)
  }
  for (const { run, row } of observed) {
    // The Job of a revision's start counts itself.
    const counts = row.revision === revision && row.trigger !== 'startup'
    if (run.isStuck && row.state === 'pending' && counts)
      failing.set(row.component, `the run ${row.name} can't start: ${row.reason}`)
  }
  return { failing, settled }
}

function isSame(row: IngestionRunRow, known: IngestionRunRow | undefined): boolean {
  return known !== undefined && JSON.stringify(sorted(row)) === JSON.stringify(sorted(known))
}

function sorted(row: IngestionRunRow): unknown[] {
  return Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))
}

function toDate(time: number | undefined): Date | null {
  return time === undefined ? null : new Date(time)
}
