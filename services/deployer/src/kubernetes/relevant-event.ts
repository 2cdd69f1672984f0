import type { CoreV1Event } from '@kubernetes/client-node'

import type { ClusterEvent } from '../domain/component-failure.ts'
import { withoutNetwork } from './network-words.ts'

/** A pod, or the workload of a component that has none. */
export type EventObject =
  | { readonly podUid: string }
  | {
      readonly workload: string
      /** Earlier events are about earlier revisions. */ readonly after: Date
    }

/**
 * Reasons of events that explain a failure. Others repeat what the pod's status says better, e.g.
 * `BackOff`.
 */
const RELEVANT_REASONS: ReadonlySet<string> = new Set([
  'BackoffLimitExceeded',
  'DeadlineExceeded',
  'Evicted',
  'Failed',
  'FailedAttachVolume',
  'FailedBinding',
  'FailedCreate',
  'FailedCreatePodSandBox',
  'FailedMount',
  'FailedScheduling',
  'NodeNotReady',
  'Preempted',
  'ProvisioningFailed',
  'Unhealthy',
])
/** Events whose messages may describe the network of the nodes. */
const HIDDEN: Readonly<Record<string, string>> = {
  FailedAttachVolume: 'a volume could not be attached to the node',
  FailedCreatePodSandBox: 'the node could not prepare the network of the pod',
  FailedMount: 'a volume could not be mounted',
  ProvisioningFailed: 'the volume could not be created',
}
const MAX_MESSAGE = 1000

/** Returns the newest event that explains why a pod, or a workload without pods, isn't ready. */
export function relevantEvent(
  events: readonly CoreV1Event[],
  object: EventObject,
): ClusterEvent | undefined {
  return events
    .filter((event) => isAbout(event, object) && isRelevant(event))
    .map(toClusterEvent)
    .filter(({ lastTime }) => 'podUid' in object || lastTime >= object.after)
    .sort((a, b) => a.lastTime.getTime() - b.lastTime.getTime())
    .at(-1)
}

/** Converts an event of the API server, which has its times in one of two forms. */
export function toClusterEvent(event: CoreV1Event): ClusterEvent {
  const first = event.firstTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp ?? 0
  const last = event.series?.lastObservedTime ?? event.lastTimestamp ?? first
  const reason = event.reason ?? ''
  return {
    reason,
    message: shownMessage(reason, event.message ?? '').slice(0, MAX_MESSAGE),
    count: event.series?.count ?? event.count ?? 1,
    firstTime: new Date(first),
    lastTime: new Date(last),
  }
}

function shownMessage(reason: string, message: string): string {
  const hidden = HIDDEN[reason]
  if (hidden !== undefined) return hidden
  // The check of a container describes only that container.
  return reason === 'Unhealthy' ? message : withoutNetwork(message)
}

/** Whether an event may be shown: it explains a failure, and doesn't describe a registry. */
export function isRelevant({ reason = '', message = '' }: CoreV1Event): boolean {
  // The pod's status has the reason of a failed pull, and pullProblem explains it.
  return RELEVANT_REASONS.has(reason) && !(reason === 'Failed' && /image|pull/i.test(message))
}

function isAbout({ involvedObject }: CoreV1Event, object: EventObject): boolean {
  const { kind = '', name = '', uid } = involvedObject
  if ('podUid' in object) return kind === 'Pod' && uid === object.podUid
  return kind !== 'Pod' && workloadOf(kind, name) === object.workload
}

/** The workload whose name an object's name contains. */
function workloadOf(kind: string, name: string): string {
  if (kind === 'ReplicaSet') return name.replace(/-[^-]+$/, '')
  return kind === 'PersistentVolumeClaim' ? name.replace(/^data-|-\d+$/g, '') : name
}
