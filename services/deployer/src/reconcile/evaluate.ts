import { componentName, type ComponentKind } from '@slipway/agent-spec'
import { transaction } from '@slipway/shared/db'

import type { DeployerContext } from '../context.ts'
import { listComponents, replaceComponents, type ComponentRow } from '../db/components.ts'
import {
  findDeployment,
  lockDeployment,
  updateDeployment,
  type DeploymentRow,
} from '../db/deployments.ts'
import { endTokensOfFormerPods } from '../db/former-ingest-tokens.ts'
import { listClusterObjects, type ClusterObjectRow } from '../db/inventory.ts'
import { endReadiness, recordReason, startReadiness } from '../db/readiness.ts'
import { findRevisionFacts, type RevisionFacts } from '../db/revisions.ts'
import type { PodView } from '../db/tables.ts'
import {
  evaluateComponent,
  evaluateDeployment,
  isFormer,
  withRefusals,
  type ComponentState,
  type WorkloadFacts,
} from '../domain/rollout.ts'
import { WORKLOAD_KINDS } from '../domain/workload-kinds.ts'
import { appendDeploymentEvent, subjectOf } from '../events/deployment-events.ts'
import { canonical } from '../manifests/canonical.ts'
import type { ClusterView, ObservedPod } from './cluster-view.ts'
import { recordRuns, type RunFindings } from './record-runs.ts'

/** The maximum number of stored pods per component. */
const MAX_PODS = 100

/** The outcome of an evaluation: `later` if it must be repeated, e.g. after a running apply. */
export type EvaluationOutcome = 'done' | 'later'

/** Determines a deployment's state from its live revision and the cluster, and stores it. */
export async function evaluateState(
  context: DeployerContext,
  view: ClusterView,
  deploymentId: string,
): Promise<EvaluationOutcome> {
  const { db } = context
  const deployment = await findDeployment(db, deploymentId)
  if (!deployment || deployment.undeploy_time !== null || deployment.state === 'undeploying')
    return 'done'
  if (deployment.attempt_id !== null) return 'later'
  if (deployment.live_revision === null) return 'done'
  const [revision, inventory, known] = await Promise.all([
    findRevisionFacts(db, deploymentId, deployment.live_revision),
    listClusterObjects(db, deploymentId),
    listComponents(db, deploymentId),
  ])
  if (!revision || !view.isSynced) return 'later'
  const workloads = liveWorkloads(inventory, revision)
  const owner = {
    deployment,
    revision,
    hasIngestions:
      revision.manual_ingestions.length > 0 ||
      workloads.keys().some((component) => component.startsWith('ingestion-')),
    cronTemplates: cronTemplates(deployment, workloads, view),
  }
  const runs = await recordRuns(context, view, owner)
  const components = evaluateComponents(deployment, revision, workloads, view, runs)
  const ofPods = evaluateDeployment(components, failingRuns(runs, workloads))
  const shown = withRefusals(ofPods, revision.errors)
  const { state, reason } = shown
  const isRecorded = !revision.records_readiness || (state === 'ready') === isReady(revision)
  // Most changes in the cluster don't change the state.
  if (
    deployment.state === state &&
    deployment.reason === reason &&
    isRecorded &&
    isSame(components, known)
  )
    return 'done'
  return await storeState(context, deployment, revision, { components, ofPods, shown })
}

interface EvaluatedComponent extends ComponentState {
  readonly kind: ComponentKind
  readonly pods: readonly PodView[]
}

/** The state of a deployment, by its components and pods. */
interface Evaluation {
  readonly components: readonly EvaluatedComponent[]
  readonly ofPods: Omit<ComponentState, 'name'>
  /** With what the cluster rejected. */
  readonly shown: Omit<ComponentState, 'name'>
}

type Workloads = ReadonlyMap<string, ClusterObjectRow>

/** The workloads of a revision, by component. */
function liveWorkloads(
  inventory: readonly ClusterObjectRow[],
  { revision }: RevisionFacts,
): Workloads {
  return new Map(
    inventory
      .filter(({ kind, revision: last }) => WORKLOAD_KINDS.has(kind) && last === revision)
      .map((row) => [row.component, row]),
  )
}

function cronTemplates(
  { k8s_namespace: namespace }: DeploymentRow,
  workloads: Workloads,
  view: ClusterView,
): Map<string, string> {
  return new Map(
    [...workloads].flatMap(([component, { kind, name }]) => {
      const facts = kind === 'CronJob' ? view.workload(kind, namespace, name) : undefined
      return facts?.kind === 'CronJob' ? [[component, facts.templateHash] as const] : []
    }),
  )
}

/** The components that only fail because of a run. Their deployment still serves requests. */
function failingRuns({ failing }: RunFindings, workloads: Workloads): ReadonlySet<string> {
  return new Set([...failing.keys()].filter((name) => workloads.get(name)?.kind !== 'Job'))
}

function evaluateComponents(
  deployment: DeploymentRow,
  revision: RevisionFacts,
  workloads: Workloads,
  view: ClusterView,
  runs: RunFindings,
): EvaluatedComponent[] {
  const manual = revision.manual_ingestions.map((entry) => componentName('ingestion', entry))
  const pods = Map.groupBy(view.podsOf(deployment.id), ({ component }) => component)
  const options = {
    wasReady: deployment.ready_revision === revision.revision,
    deployedAt: deployment.deploy_time.getTime(),
    now: Date.now(),
  }
  return [...new Set([...workloads.keys(), ...manual])].sort().map((name) => {
    const row = workloads.get(name)
    const own = pods.get(name) ?? []
    const facts = row && view.workload(row.kind, deployment.k8s_namespace, row.name)
    const evaluated = evaluateComponent({ name, workload: row }, facts, own, options)
    return {
      ...withRuns(evaluated, row?.kind, runs),
      // A component's name begins with its kind.
      kind: name.split('-', 1)[0] as ComponentKind,
      pods: own.slice(0, MAX_PODS).map((pod) => podView(pod, facts)),
    }
  })
}

/**
 * A failing run makes its component fail, also after its Job is gone. The Job of a revision's start
 * counts itself while it exists, but a later run repairs its failure.
 */
function withRuns(
  evaluated: ComponentState,
  workload: string | undefined,
  { failing, settled }: RunFindings,
): ComponentState {
  const { name, state } = evaluated
  if (workload === 'Job') {
    if (settled.has(name)) return { name, state: 'ready', reason: '' }
    if (state === 'ready' || state === 'progressing') return evaluated
  }
  const reason = failing.get(name)
  return reason === undefined ? evaluated : { name, state: 'failed', reason }
}

async function storeState(
  context: DeployerContext,
  deployment: DeploymentRow,
  revision: RevisionFacts,
  { components, ofPods, shown: { state, reason } }: Evaluation,
): Promise<EvaluationOutcome> {
  return await transaction(context.db, async (trx) => {
    const current = await lockDeployment(trx, deployment.id)
    // The deployment may have changed since it was evaluated.
    if (!current || current.undeploy_time !== null || current.state === 'undeploying') return 'done'
    if (current.attempt_id !== null || current.live_revision !== revision.revision) return 'later'
    const applied = await findRevisionFacts(trx, deployment.id, revision.revision)
    if (applied?.state !== revision.state) return 'later'
    if (state === 'ready') {
      await startReadiness(trx, deployment.id, revision.revision)
      await endTokensOfFormerPods(trx, deployment.id)
    } else if (isReady(applied)) await endReadiness(trx, deployment.id, { failed: true })
    await replaceComponents(trx, deployment.id, components)
    // A pod that starts again has no reason for a moment, and can be ready for one. If readiness is
    // recorded, its end decides about the reason.
    const isDecidedLater = state === 'ready' && applied.records_readiness
    if (!isDecidedLater && (ofPods.state === 'ready' || ofPods.reason !== ''))
      await recordReason(trx, deployment.id, revision.revision, ofPods.reason)
    if (current.state === state && current.reason === reason) return 'done'
    await updateDeployment(trx, deployment.id, {
      state,
      reason,
      ...(ofPods.state === 'ready' && { ready_revision: revision.revision }),
    })
    if (current.state === state) return 'done'
    const origin = { requestId: revision.request_id, traceparent: revision.traceparent }
    await appendDeploymentEvent(
      trx,
      subjectOf(deployment, revision),
      { kind: 'state_changed', state, reason },
      origin,
    )
    return 'done'
  })
}

function isReady({ ready_since }: RevisionFacts): boolean {
  return ready_since !== null
}

function isSame(
  components: readonly EvaluatedComponent[],
  known: readonly ComponentRow[],
): boolean {
  const shape = (all: readonly (EvaluatedComponent | ComponentRow)[]) =>
    canonical(
      all.map(({ name, kind, state, reason, pods }) => ({ name, kind, state, reason, pods })),
    )
  return shape(components) === shape(known)
}

function podView(pod: ObservedPod, workload: WorkloadFacts | undefined): PodView {
  const { name, isReady: ready, restarts, reason, lastExit } = pod
  const phase = pod.isTerminating ? 'Terminating' : pod.phase
  const former = isFormer(pod, workload) ? ({ isFormer: true } as const) : {}
  return { name, phase, ready, restarts, reason, ...(lastExit && { lastExit }), ...former }
}
