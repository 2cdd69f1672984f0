import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  TriggerIngestionResponseSchema,
  type WorkloadService,
} from '@slipway/proto/slipway/deployer/v1/workload_service'
import { FailedPrecondition, Violations } from '@slipway/shared/errors'

import { requireOwnedNamespace } from '../access/owned-namespace.ts'
import type { DeployerContext } from '../context.ts'
import { requireIngestion } from '../operations/find-ingestion.ts'
import { startIngestion } from '../operations/trigger-ingestion.ts'

/** Starts a manual ingestion. */
export function triggerIngestion(
  context: DeployerContext,
): ServiceImpl<typeof WorkloadService>['triggerIngestion'] {
  return async (request, call) => {
    const { account, namespace, ingestion } = request
    new Violations().requireFilled({ account, namespace, ingestion }).throwIfAny()
    const deployment = await requireOwnedNamespace(context, call, request, 'not_found')
    const found = await requireIngestion(context, deployment, ingestion)
    if (found.trigger.type !== 'manual') {
      throw new FailedPrecondition(
        'ingestion_not_manual',
        `the ingestion ${ingestion} does not have a manual trigger; start a run of it instead`,
      )
    }
    const { name: jobName } = await startIngestion(context, found, call.signal)
    return create(TriggerIngestionResponseSchema, { jobName, namespace: deployment.k8s_namespace })
  }
}
