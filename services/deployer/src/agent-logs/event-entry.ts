import type { CoreV1Event } from '@kubernetes/client-node'

import type { ClusterEvent } from '../domain/component-failure.ts'
import { isRelevant, toClusterEvent } from '../kubernetes/relevant-event.ts'
import { redactSecrets } from '../kubernetes/redact.ts'
import { nanosOf, type LogEntry } from './log-entry.ts'

/**
 * Returns the entry of an event of the cluster, without the `values` of credentials, which the
 * output of a check may show. Undefined for events that don't explain anything, or that aren't
 * about one of the workloads.
 */
export function eventEntry(
  event: CoreV1Event,
  workloads: ReadonlyMap<string, string>,
  values: readonly string[],
): LogEntry | undefined {
  const pod = event.involvedObject.name ?? ''
  const component = componentOf(pod, workloads)
  if (!isRelevant(event) || component === undefined) return undefined
  const { reason, message: shown, count, lastTime }: ClusterEvent = toClusterEvent(event)
  const message = redactSecrets(shown, values)
  const text = count > 1 ? `${message} (${count} times)` : message
  return { time: nanosOf(lastTime), component, pod, container: '', text, eventReason: reason }
}

/** The component whose workload has the longest name that an object's name begins with. */
function componentOf(name: string, workloads: ReadonlyMap<string, string>): string | undefined {
  const owner = [...workloads.keys()]
    .filter((workload) => name === workload || name.startsWith(`${workload}-`))
    .sort((a, b) => b.length - a.length)[0]
  return owner === undefined ? undefined : workloads.get(owner)
}
