import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node'

import type { PodFacts } from '../domain/rollout.ts'
import { TEMPLATE_HASH_LABEL } from '../kubernetes/labels.ts'

/** Why a container waits when waiting doesn't help. */
const STUCK_REASONS: ReadonlySet<string> = new Set([
  'CrashLoopBackOff',
  'CreateContainerConfigError',
  'CreateContainerError',
  'ErrImageNeverPull',
  'ErrImagePull',
  'ImageInspectError',
  'ImagePullBackOff',
  'InvalidImageName',
  'RunContainerError',
])
/** Reasons that every container passes through. */
const ORDINARY_REASONS: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing'])
/** A container that has ended so often, and isn't up, is in a crash loop, also in the moments when it runs. */
const LOOP_RESTARTS = 2
const MAX_REASON_LENGTH = 500

/** What matters of a pod. */
export function podFacts(pod: V1Pod): PodFacts {
  const { metadata, status } = pod
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
  const isReady = status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false
  const { reason, isStuck } = isReady ? { reason: '', isStuck: false } : explain(pod, containers)
  return {
    name: metadata?.name ?? '',
    phase: status?.phase ?? 'Unknown',
    isReady,
    isTerminating: metadata?.deletionTimestamp !== undefined,
    restarts: containers.reduce((sum, { restartCount }) => sum + restartCount, 0),
    reason: reason.slice(0, MAX_REASON_LENGTH),
    isStuck,
    templateHash: metadata?.labels?.[TEMPLATE_HASH_LABEL] ?? '',
  }
}

function explain({ status }: V1Pod, containers: readonly V1ContainerStatus[]): { reason: string; isStuck: boolean } {
  for (const container of containers) {
    const found = explainContainer(container)
    if (found) return found
  }
  const unscheduled = status?.conditions?.find(
    ({ type, status: value }) => type === 'PodScheduled' && value === 'False',
  )
  if (unscheduled) return { reason: joined(unscheduled.reason, unscheduled.message), isStuck: false }
  if (status?.phase === 'Failed') return { reason: joined(status.reason ?? 'Failed', status.message), isStuck: false }
  return { reason: '', isStuck: false }
}

// What a container itself wrote when it ended is not shown: it may hold anything.
function explainContainer({ state, lastState, restartCount, ready }: V1ContainerStatus) {
  const ended = state?.terminated ?? lastState?.terminated
  const howEnded =
    ended &&
    `the container ended with exit code ${ended.exitCode}${ended.reason === 'Error' || !ended.reason ? '' : ` (${ended.reason})`}`
  const { reason = '', message } = state?.waiting ?? {}
  if (reason === 'CrashLoopBackOff') return { reason: joined(reason, howEnded ?? message), isStuck: true }
  if (reason !== '' && !ORDINARY_REASONS.has(reason)) {
    return { reason: joined(reason, message), isStuck: STUCK_REASONS.has(reason) }
  }
  if (!ready && ended && ended.exitCode !== 0 && howEnded !== undefined) {
    return {
      reason: joined(restartCount >= LOOP_RESTARTS ? 'CrashLoopBackOff' : 'Error', howEnded),
      isStuck: restartCount >= LOOP_RESTARTS,
    }
  }
  return undefined
}

function joined(reason: string | undefined, message: string | undefined): string {
  return [reason, message].filter(Boolean).join(': ')
}
