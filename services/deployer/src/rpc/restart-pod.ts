import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  RestartPodResponseSchema,
  type WorkloadService,
} from '@slipway/proto/slipway/deployer/v1/workload_service'
import { Violations } from '@slipway/shared/errors'

import { requireOwnedNamespace } from '../access/owned-namespace.ts'
import { clusterRefusal } from '../apply/cluster-refusal.ts'
import type { DeployerContext } from '../context.ts'
import { keyOf } from '../domain/kubernetes-object.ts'
import { deleteObject } from '../kubernetes/delete.ts'
import { clusterUnreachable, isBusy, isRefusal } from '../kubernetes/kubernetes-error.ts'
import { requirePod } from '../kubernetes/pods.ts'

/** Deletes a pod; its controller then replaces it. */
export function restartPod(
  context: DeployerContext,
): ServiceImpl<typeof WorkloadService>['restartPod'] {
  return async (request, call) => {
    new Violations()
      .requireFilled({ account: request.account, namespace: request.namespace, pod: request.pod })
      .throwIfAny()
    const deployment = await requireOwnedNamespace(context, call, request, 'forbidden')
    const owner = { deploymentId: deployment.id, namespace: deployment.k8s_namespace }
    const pod = await requirePod(context.kubernetes, owner, request.pod, call.signal)
    const { uid } = pod.metadata
    const key = { ...keyOf(pod), apiVersion: 'v1', kind: 'Pod' }
    try {
      // A pod that no longer exists counts as restarted.
      await deleteObject(context.kubernetes, key, {
        ...(uid === undefined ? {} : { uid }),
        signal: call.signal,
      })
    } catch (error) {
      if (isBusy(error)) throw clusterUnreachable(error)
      if (!isRefusal(error)) throw error
      throw clusterRefusal('restart_refused', 'the deletion of the pod', error)
    }
    return create(RestartPodResponseSchema, { pod: request.pod })
  }
}
