import type { CoreV1Event } from '@kubernetes/client-node'

import type { KubernetesClient } from './client.ts'
import { isKubernetesStatus } from './kubernetes-error.ts'
import { collectionPath } from './paths.ts'

/** How many events of a namespace are read. */
const MAX_EVENTS = 500

/**
 * Lists warnings about the objects of a namespace, at most MAX_EVENTS. Returns none when the
 * permissions in the namespace no longer exist, or do not include events.
 */
export async function listWarnings(
  client: KubernetesClient,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly CoreV1Event[]> {
  return await listEvents(client, namespace, 'type=Warning', signal)
}

/** Lists the events of nodes that stop containers, as `listWarnings` lists warnings. */
export async function listContainerStops(
  client: KubernetesClient,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly CoreV1Event[]> {
  return await listEvents(client, namespace, 'reason=Killing', signal)
}

async function listEvents(
  client: KubernetesClient,
  namespace: string,
  fieldSelector: string,
  signal: AbortSignal,
): Promise<readonly CoreV1Event[]> {
  const query = new URLSearchParams({ fieldSelector, limit: String(MAX_EVENTS) })
  try {
    const { body } = await client.send<{ readonly items: readonly CoreV1Event[] }>({
      method: 'GET',
      path: `${collectionPath('v1', 'Event', namespace)}?${query.toString()}`,
      signal,
    })
    return body.items
  } catch (error) {
    if (isKubernetesStatus(error, 403) || isKubernetesStatus(error, 404)) return []
    throw error
  }
}
