import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  GetConfigMapResponseSchema,
  type WorkloadService,
} from '@slipway/proto/slipway/deployer/v1/workload_service'
import { NotFound, Violations } from '@slipway/shared/errors'

import { requireOwnedNamespace } from '../access/owned-namespace.ts'
import type { DeployerContext } from '../context.ts'
import type { KubernetesObject } from '../domain/kubernetes-object.ts'
import { DEPLOYMENT_LABEL } from '../domain/labels.ts'
import { isObjectName } from '../domain/object-name.ts'
import { readOwned } from '../kubernetes/pods.ts'

/** Returns the data of a deployment's config map. */
export function getConfigMap(
  context: DeployerContext,
): ServiceImpl<typeof WorkloadService>['getConfigMap'] {
  return async (request, call) => {
    new Violations()
      .requireFilled({ account: request.account, namespace: request.namespace, name: request.name })
      .throwIfAny()
    const deployment = await requireOwnedNamespace(context, call, request, 'not_found')
    const key = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      namespace: deployment.k8s_namespace,
      name: request.name,
    }
    const found = isObjectName(request.name)
      ? await readOwned<KubernetesObject & { data?: Record<string, string> }>(
          context.kubernetes,
          key,
          call.signal,
        )
      : undefined
    if (found?.metadata.labels?.[DEPLOYMENT_LABEL] !== deployment.id) {
      throw new NotFound(
        'config_map_not_found',
        `the deployment has no config map ${JSON.stringify(request.name)}`,
      )
    }
    return create(GetConfigMapResponseSchema, {
      name: request.name,
      namespace: deployment.k8s_namespace,
      data: found.data ?? {},
    })
  }
}
