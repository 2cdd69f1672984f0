import type { V1Pod } from '@kubernetes/client-node'

import { containerStatuses, isPodReady } from '../kubernetes/pod-status.ts'
import { redactSecrets } from '../kubernetes/redact.ts'
import { currentPods, readLines, type Evidence } from './evidence.ts'
import { adviceIn } from './log-advice.ts'
import { refusedKeyIn } from './refused-key.ts'
import { otherWords } from './words.ts'

/** How much of the log of a ready program is read: its access log may hide what is wrong. */
const RECENT = { lines: 200, bytes: 64 * 1024, sinceSeconds: 600 }
/** How long a pod that its node has removed is mentioned. */
const REMOVAL_MS = 24 * 3_600_000
/** Components whose program is the user's. */
const OWN = /^(?:agent|tool-)/

/**
 * Returns what is wrong with components that are ready: services that a program can't reach,
 * variables that it misses, keys that were refused, and pods that their node has removed.
 */
export async function noticesOf(
  evidence: Evidence,
  components: readonly string[],
): Promise<string[]> {
  const found = await Promise.all(components.map((name) => noticesOfOne(evidence, name)))
  return found.flat()
}

async function noticesOfOne(evidence: Evidence, component: string): Promise<string[]> {
  const pods = currentPods(evidence, component)
  return [
    ...pods.flatMap((pod) => removalOf(evidence, component, pod)),
    ...(OWN.test(component) ? await logNotices(evidence, component, pods) : []),
  ]
}

function removalOf(
  { secrets }: Evidence,
  component: string,
  { metadata, status }: V1Pod,
): string[] {
  const times = (status?.conditions ?? []).map(({ lastTransitionTime: time }) =>
    new Date(time ?? 0).getTime(),
  )
  const isRecent = Math.max(0, ...times) > Date.now() - REMOVAL_MS
  if (status?.phase !== 'Failed' || status.reason !== 'Evicted' || !isRecent) return []
  const { message } = otherWords(status.message ?? 'the node has removed the pod')
  return [`${component}: ${metadata?.name}: ${redactSecrets(message, secrets, { isWhole: true })}`]
}

async function logNotices(
  evidence: Evidence,
  component: string,
  pods: readonly V1Pod[],
): Promise<string[]> {
  const pod = pods.find(({ status }) => isPodReady(status))
  const [status] = containerStatuses(pod?.status)
  if (pod === undefined || status === undefined) return []
  const lines = await readLines(evidence, pod, { status, isPreviousLog: false }, RECENT)
  const advice = [
    ...(await adviceIn(lines, evidence, pod)),
    ...refusedKeyIn(lines, evidence.template),
  ]
  return advice.map(
    ({ finding, step }) =>
      `${component}: it is ready, but ${redactSecrets(finding, evidence.secrets)}. ${step}`,
  )
}
