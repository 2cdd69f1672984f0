import { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { withIdempotencyKeys } from '@slipway/shared/idempotency'
import { guardService, type GuardedService, type PolicyDependencies } from '@slipway/shared/rpc'

import type { DeployerContext } from '../context.ts'
import { deployAgent } from './deploy.ts'
import { getConfigMap } from './get-config-map.ts'
import { getDeployment } from './get-deployment.ts'
import { listDeployments } from './list-deployments.ts'
import { listDeploymentRevisions } from './list-revisions.ts'
import { resolveIngestToken } from './resolve-ingest-token.ts'
import { restartPod } from './restart-pod.ts'
import { rollbackAgent } from './rollback.ts'
import { rotateAgentIngestToken } from './rotate-ingest-token.ts'
import { streamLogs } from './stream-logs.ts'
import { triggerAgentIngestion } from './trigger-ingestion.ts'
import { undeployAgent } from './undeploy.ts'
import { validateDeployment } from './validate-deployment.ts'
import { watchDeployment } from './watch-deployment.ts'

/** The deployer's RPCs, each with who may call it. */
export function routes(context: DeployerContext, policies: PolicyDependencies): GuardedService[] {
  return [
    guardService(
      DeploymentService,
      withIdempotencyKeys(
        DeploymentService,
        {
          deploy: deployAgent(context),
          validateDeployment: validateDeployment(context),
          undeploy: undeployAgent(context),
          rollback: rollbackAgent(context),
          getDeployment: getDeployment(context),
          listDeployments: listDeployments(context),
          listRevisions: listDeploymentRevisions(context),
          watchDeployment: watchDeployment(context),
          rotateIngestToken: rotateAgentIngestToken(context),
        },
        ['deploy', 'undeploy', 'rollback', 'rotateIngestToken'],
        context.db,
      ),
      {
        deploy: 'user',
        validateDeployment: 'user',
        undeploy: 'user',
        rollback: 'user',
        getDeployment: 'user',
        listDeployments: 'user',
        listRevisions: 'user',
        watchDeployment: 'user',
        rotateIngestToken: 'user',
      },
      policies,
    ),
    guardService(
      WorkloadService,
      withIdempotencyKeys(
        WorkloadService,
        {
          streamLogs: streamLogs(context),
          getConfigMap: getConfigMap(context),
          restartPod: restartPod(context),
          triggerIngestion: triggerAgentIngestion(context),
          resolveIngestToken: resolveIngestToken(context),
        },
        ['restartPod', 'triggerIngestion'],
        context.db,
      ),
      {
        streamLogs: 'user',
        getConfigMap: 'user',
        restartPod: 'user',
        triggerIngestion: 'user',
        resolveIngestToken: 'service',
      },
      policies,
    ),
  ]
}
