import type { CoreV1Event, V1Pod } from '@kubernetes/client-node'
import type { DeploymentTemplate } from '@slipway/agent-spec'
import type { Database } from '@slipway/shared/db'
import type { Logger } from '@slipway/shared/logger'

import type { KeptLogs } from '../agent-logs/kept-logs.ts'
import { credentialOfKey } from '../credentials/plan-secrets.ts'
import { isSecretCredential, readValuesToRedact } from '../credentials/values-to-redact.ts'
import type { DeploymentRow } from '../db/deployments.ts'
import { listClusterObjects, type ClusterObjectRow } from '../db/inventory.ts'
import { findRevision, type RevisionRow } from '../db/revisions.ts'
import type { DeployerSchema } from '../db/tables.ts'
import type { ClusterEvent, ComponentFailure } from '../domain/component-failure.ts'
import { COMPONENT_LABEL, TEMPLATE_HASH_LABEL } from '../domain/labels.ts'
import { WORKLOAD_KINDS } from '../domain/workload-kinds.ts'
import type { KubernetesClient } from '../kubernetes/client.ts'
import { listContainerStops, listWarnings } from '../kubernetes/events.ts'
import { isPodReady } from '../kubernetes/pod-status.ts'
import { listPods } from '../kubernetes/pods.ts'
import { redactSecrets } from '../kubernetes/redact.ts'
import { checkStops, type CheckStop } from './check-stop.ts'
import { logTail, readLogTail } from './log-tail.ts'
import { nextSteps } from './next-steps.ts'
import { overridePath } from './override-path.ts'
import { currentEvent, eventProblem, podProblem, type PodProblem } from './pod-problem.ts'
import { tellingEvent } from './telling-event.ts'

/** What explanations are read with. */
export interface ExplainContext {
  readonly db: Database<DeployerSchema>
  readonly kubernetes: KubernetesClient
  readonly keptLogs: KeptLogs
  readonly logger: Logger
}

/** What is known of a deployment while its failures are explained. */
interface Evidence {
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
 * Explains from the cluster why components of a deployment are not ready, where it knows why.
 * Returns undefined if the deployer may not read the deployment's Secrets: without their values,
 * nothing could be redacted.
 */
export async function explainFailures(
  context: ExplainContext,
  deployment: DeploymentRow,
  components: readonly string[],
  signal: AbortSignal,
): Promise<ComponentFailure[] | undefined> {
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
  const evidence: Evidence = {
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
  const found = await Promise.all(components.map((name) => explainComponent(evidence, name)))
  return found.filter((failure) => failure !== undefined)
}

interface Found {
  readonly problem: PodProblem
  readonly pod: V1Pod | undefined
  readonly event: ClusterEvent | undefined
}

async function explainComponent(
  evidence: Evidence,
  component: string,
): Promise<ComponentFailure | undefined> {
  const found = findProblem(evidence, component)
  if (found === undefined) return undefined
  const { problem, pod, event } = found
  const { container } = problem
  const redacted = (text: string) => redactSecrets(text, evidence.secrets)
  const logLines =
    pod === undefined || container === undefined ? [] : await readLines(evidence, pod, container)
  const { revision, template } = evidence
  const path = template === undefined ? component : overridePath(template, component)
  const keys = revision?.secrets.roles[component]?.keys ?? []
  const credentialKeys = keys
    .map(credentialOfKey)
    .filter((key) => isSecretCredential(template, key))
  return {
    component,
    pod: pod?.metadata?.name ?? '',
    container: container?.status.name ?? '',
    restarts: container?.status.restartCount ?? 0,
    exitCode: container?.exitCode,
    reason: problem.reason,
    message: redactSecrets(problem.message, evidence.secrets, { isWhole: true }),
    original: redacted(problem.original),
    since: pod === undefined ? event?.firstTime : notReadySince(pod),
    logLines,
    isPreviousLog: container?.isPreviousLog ?? false,
    event: isCause(event, problem) ? { ...event, message: redacted(event.message) } : undefined,
    next: nextSteps({
      problem,
      path,
      credentialKeys,
      logLines,
      requests: pod?.spec?.containers[0]?.resources?.requests ?? {},
      isEarlierReady: hasEarlierReady(evidence, component, pod),
    }),
  }
}

/** Checks of a program that has ended fail as well. */
function isCause(event: ClusterEvent | undefined, { original }: PodProblem): event is ClusterEvent {
  return event !== undefined && (event.reason !== 'Unhealthy' || event.message === original)
}

function hasEarlierReady(
  { pods }: Evidence,
  component: string,
  failing: V1Pod | undefined,
): boolean {
  return pods.some(
    (pod) =>
      pod.metadata?.labels?.[COMPONENT_LABEL] === component &&
      hashOf(pod) !== hashOf(failing) &&
      isPodReady(pod.status),
  )
}

function hashOf(pod: V1Pod | undefined): string | undefined {
  return pod?.metadata?.labels?.[TEMPLATE_HASH_LABEL]
}

function findProblem(
  { pods, events, stops, inventory, deployment }: Evidence,
  component: string,
): Found | undefined {
  const own = pods.filter(({ metadata }) => metadata?.labels?.[COMPONENT_LABEL] === component)
  // Pods of earlier templates are being replaced.
  for (const pod of own.filter((each) => hashOf(each) === hashOf(own[0]))) {
    const event = currentEvent(tellingEvent(events, { podUid: pod.metadata?.uid ?? '' }), pod)
    const problem = podProblem(pod, { event, stops }, Date.now())
    if (problem !== undefined) return { problem, pod, event }
  }
  const workload = inventory.find(
    ({ component: name, kind }) => name === component && WORKLOAD_KINDS.has(kind),
  )
  if (workload === undefined) return undefined
  const event = tellingEvent(events, { workload: workload.name, after: deployment.deploy_time })
  return event && { problem: eventProblem(event), pod: undefined, event }
}

function notReadySince({ metadata, status }: V1Pod): Date | undefined {
  const time =
    status?.conditions?.find(({ type, status: value }) => type === 'Ready' && value === 'False')
      ?.lastTransitionTime ?? metadata?.creationTimestamp
  return time === undefined ? undefined : new Date(time)
}

async function readLines(
  { context, deployment, secrets, signal }: Evidence,
  pod: V1Pod,
  { status, isPreviousLog }: NonNullable<PodProblem['container']>,
): Promise<string[]> {
  const source = {
    namespace: deployment.k8s_namespace,
    pod: pod.metadata?.name ?? '',
    container: status.name,
    previous: isPreviousLog,
  }
  // A container that has never started has no log.
  if (status.containerID === undefined && status.lastState?.terminated === undefined) return []
  const lines = await readLogTail(context.kubernetes, source, secrets, signal)
  if (lines.length > 0) return lines
  // The node removes the logs of earlier runs.
  const kept = context.keptLogs.ofContainer(source).map(({ text }) => text)
  return logTail(kept.join('\n'), secrets)
}
