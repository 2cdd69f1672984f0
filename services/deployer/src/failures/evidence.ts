import type { CoreV1Event, V1ContainerStatus, V1Pod } from '@kubernetes/client-node'
import type { DeploymentTemplate } from '@slipway/agent-spec'
import type { Database } from '@slipway/shared/db'
import type { Logger } from '@slipway/shared/logger'

import type { KeptLogs } from '../agent-logs/kept-logs.ts'
import { readValuesToRedact } from '../credentials/values-to-redact.ts'
import type { DeploymentRow } from '../db/deployments.ts'
import { listClusterObjects, type ClusterObjectRow } from '../db/inventory.ts'
import { findRevision, type RevisionRow } from '../db/revisions.ts'
import type { DeployerSchema } from '../db/tables.ts'
import { COMPONENT_LABEL, TEMPLATE_HASH_LABEL } from '../domain/labels.ts'
import type { KubernetesClient } from '../kubernetes/client.ts'
import { listContainerStops, listWarnings } from '../kubernetes/events.ts'
import { listPods } from '../kubernetes/pods.ts'
import { checkStops, type CheckStop } from './check-stop.ts'
import { logTail, readLogTail, type TailSize } from './log-tail.ts'

/** What explanations are read with. */
export interface ExplainContext {
  readonly db: Database<DeployerSchema>
  readonly kubernetes: KubernetesClient
  readonly keptLogs: KeptLogs
  readonly logger: Logger
}

/** What is known of a deployment while it is explained. */
export interface Evidence {
  readonly context: ExplainContext
  readonly deployment: DeploymentRow
  readonly revision: RevisionRow | undefined
  readonly inventory: readonly ClusterObjectRow[]
  /** The newest first, without those that are being deleted. */
  readonly pods: readonly V1Pod[]
  readonly events: readonly CoreV1Event[]
  readonly stops: readonly CheckStop[]
  readonly secrets: readonly string[]
  readonly template: DeploymentTemplate | undefined
  readonly signal: AbortSignal
}

/**
 * Reads what the cluster says about a deployment. Returns undefined if the deployer can't read the
 * deployment's Secrets: without their values, nothing could be redacted.
 */
export async function readEvidence(
  context: ExplainContext,
  deployment: DeploymentRow,
  signal: AbortSignal,
): Promise<Evidence | undefined> {
  const { db, kubernetes } = context
  const { id, k8s_namespace: namespace, live_revision: live } = deployment
  const owner = { namespace, deploymentId: id }
  const revision = live === null ? undefined : await findRevision(db, id, live)
  const template = revision?.template as DeploymentTemplate | undefined
  const [inventory, pods, events, stops, secrets] = await Promise.all([
    listClusterObjects(db, id),
    listPods(kubernetes, owner, signal),
    listWarnings(kubernetes, namespace, signal),
    listContainerStops(kubernetes, namespace, signal),
    readValuesToRedact(kubernetes, owner, template, signal),
  ])
  if (secrets === undefined) return undefined
  return {
    context,
    deployment,
    revision,
    inventory,
    pods: pods.filter(({ metadata }) => metadata?.deletionTimestamp === undefined),
    events,
    stops: checkStops(stops),
    secrets,
    template,
    signal,
  }
}

/** The pods of a component with the newest template: others are being replaced. */
export function currentPods({ pods }: Evidence, component: string): V1Pod[] {
  const own = pods.filter(({ metadata }) => metadata?.labels?.[COMPONENT_LABEL] === component)
  return own.filter((each) => hashOf(each) === hashOf(own[0]))
}

/** The template that a pod was created from. */
export function hashOf(pod: V1Pod | undefined): string | undefined {
  return pod?.metadata?.labels?.[TEMPLATE_HASH_LABEL]
}

/** The container of a pod whose log is read. */
export interface LoggedContainer {
  readonly status: V1ContainerStatus
  readonly isPreviousLog: boolean
}

/** Reads the last lines of a container's log, also if the node has removed it. */
export async function readLines(
  { context, deployment, secrets, signal }: Evidence,
  pod: V1Pod,
  { status, isPreviousLog }: LoggedContainer,
  size?: TailSize,
): Promise<string[]> {
  const source = {
    namespace: deployment.k8s_namespace,
    pod: pod.metadata?.name ?? '',
    container: status.name,
    previous: isPreviousLog,
  }
  // A container that has never started has no log.
  if (status.containerID === undefined && status.lastState?.terminated === undefined) return []
  const lines = await readLogTail(context.kubernetes, source, secrets, signal, size)
  if (lines.length > 0) return lines
  // The node removes the logs of earlier runs.
  const kept = context.keptLogs.ofContainer(source).map(({ text }) => text)
  return logTail(kept.join('\n'), secrets)
}
