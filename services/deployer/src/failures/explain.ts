import type { V1Pod } from '@kubernetes/client-node'

import { credentialOfKey } from '../credentials/plan-secrets.ts'
import { isSecretCredential } from '../credentials/values-to-redact.ts'
import type { ClusterEvent, ComponentFailure } from '../domain/component-failure.ts'
import { COMPONENT_LABEL } from '../domain/labels.ts'
import { WORKLOAD_KINDS } from '../domain/workload-kinds.ts'
import { isPodReady } from '../kubernetes/pod-status.ts'
import { redactSecrets } from '../kubernetes/redact.ts'
import { currentPods, hashOf, readLines, type Evidence } from './evidence.ts'
import { adviceIn } from './log-advice.ts'
import { missingPartIn } from './missing-part.ts'
import { nextSteps, stepsFromLog } from './next-steps.ts'
import { overridePath } from './override-path.ts'
import { currentEvent, eventProblem, podProblem, type PodProblem } from './pod-problem.ts'
import { relevantEvent } from '../kubernetes/relevant-event.ts'

/** Explains why components of a deployment are not ready, where the cluster says why. */
export async function explainFailures(
  evidence: Evidence,
  components: readonly string[],
): Promise<ComponentFailure[]> {
  const found = await Promise.all(components.map((name) => explainComponent(evidence, name)))
  return found.filter((failure) => failure !== undefined)
}

/** The program has ended with an error. */
const ENDED: ReadonlySet<string> = new Set(['CrashLoopBackOff', 'Error'])

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
  const advice = [
    ...(await adviceIn(logLines, evidence, pod)),
    ...(ENDED.has(problem.reason) ? missingPartIn(logLines) : []),
  ]
  const { revision, template } = evidence
  const path = template === undefined ? component : overridePath(template, component)
  const keys = revision?.secrets.roles[component]?.keys ?? []
  const credentialKeys = keys
    .map(credentialOfKey)
    .filter((key) => isSecretCredential(template, key))
  const about = {
    problem,
    path,
    credentialKeys,
    logLines,
    logSteps: advice.map(({ finding, step }) => `${sentenceOf(finding)} ${step}`),
    requests: pod?.spec?.containers[0]?.resources?.requests ?? {},
    limits: pod?.spec?.containers[0]?.resources?.limits ?? {},
    isEarlierReady: hasEarlierReady(evidence, component, pod),
  }
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
    next: nextSteps(about),
    logSteps: stepsFromLog(about),
  }
}

function sentenceOf(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
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

function findProblem(evidence: Evidence, component: string): Found | undefined {
  const { events, stops, inventory, deployment } = evidence
  for (const pod of currentPods(evidence, component)) {
    const event = currentEvent(relevantEvent(events, { podUid: pod.metadata?.uid ?? '' }), pod)
    const problem = podProblem(pod, { event, stops }, Date.now())
    if (problem !== undefined) return { problem, pod, event }
  }
  const workload = inventory.find(
    ({ component: name, kind }) => name === component && WORKLOAD_KINDS.has(kind),
  )
  if (workload === undefined) return undefined
  const event = relevantEvent(events, { workload: workload.name, after: deployment.deploy_time })
  return event && { problem: eventProblem(event), pod: undefined, event }
}

function notReadySince({ metadata, status }: V1Pod): Date | undefined {
  const time =
    status?.conditions?.find(({ type, status: value }) => type === 'Ready' && value === 'False')
      ?.lastTransitionTime ?? metadata?.creationTimestamp
  return time === undefined ? undefined : new Date(time)
}
