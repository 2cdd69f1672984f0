import type { V1ContainerStatus, V1PodStatus } from '@kubernetes/client-node'

/** Returns the states of a pod's init containers and containers, in the order they start in. */
export function containerStatuses(status: V1PodStatus | undefined): V1ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
}

/** Whether a pod passes its checks and serves. */
export function isPodReady(status: V1PodStatus | undefined): boolean {
  const isReady = status?.conditions?.some(
    (each) => each.type === 'Ready' && each.status === 'True',
  )
  return isReady ?? false
}
