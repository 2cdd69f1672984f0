import type { V1ContainerStatus, V1PodStatus } from '@kubernetes/client-node'

/** Returns the states of a pod's init containers and containers, in the order they start in. */
export function containerStatuses(status: V1PodStatus | undefined): V1ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
}
