import { isDaemonAlive } from '../../process/daemon.ts'
import type { Stack } from '../../stack/stack.ts'
import { createApiClient } from '../client.ts'
import type { ApiObject } from '../client.ts'
import { clusterPaths, NODE_NAME } from '../layout.ts'

interface Pod extends ApiObject {
  readonly status: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[]
    readonly containerStatuses?: readonly { readonly ready: boolean }[]
  }
}

/**
 * Marks all pods as not ready before the node stops. Otherwise they would count as ready until long
 * after the next start. Does nothing if the API server doesn't respond.
 */
export async function markPodsStopped(stack: Stack): Promise<void> {
  if (!isDaemonAlive(stack, 'kube-apiserver')) return
  const client = createApiClient(clusterPaths(stack).adminKubeconfig)
  const path = `/api/v1/pods?fieldSelector=spec.nodeName%3D${NODE_NAME},status.phase%3DRunning`
  const found = await client.call('GET', path).catch(() => undefined)
  const { items } = (found ?? { items: [] }) as { items: Pod[] }
  await Promise.allSettled(
    items.map(async ({ metadata, status }) => {
      const url = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}/status`
      await client.call(
        'PATCH',
        url,
        { status: stoppedStatus(status) },
        'application/merge-patch+json',
      )
    }),
  )
}

/** Returns a pod's status after its node has stopped. */
export function stoppedStatus(status: Pod['status']): Pod['status'] {
  const conditions = (status.conditions ?? []).map((condition) =>
    ['Ready', 'ContainersReady'].includes(condition.type)
      ? {
          ...condition,
          status: 'False',
          reason: 'NodeStopped',
          message: 'the local stack was taken down',
        }
      : condition,
  )
  return {
    conditions,
    containerStatuses: (status.containerStatuses ?? []).map((container) => ({
      ...container,
      ready: false,
    })),
  }
}
