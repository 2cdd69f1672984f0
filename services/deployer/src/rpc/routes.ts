import { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { guardService, type GuardedService, type PolicyDependencies } from '@slipway/shared/rpc'

import type { DeployerContext } from '../context.ts'
import { deployAgent } from './deploy.ts'
import { getConfigMap } from './get-config-map.ts'
import { resolveIngestToken } from './resolve-ingest-token.ts'
import { restartPod } from './restart-pod.ts'
import { streamLogs } from './stream-logs.ts'
import { undeployAgent } from './undeploy.ts'
import { validateDeployment } from './validate-deployment.ts'

/** The deployer's RPCs, each with who may call it. */
export function routes(services: DeployerContext, policies: PolicyDependencies): GuardedService[] {
  return [
    guardService(
      DeploymentService,
      {
        deploy: deployAgent(services),
        validateDeployment: validateDeployment(services),
        undeploy: undeployAgent(services),
      },
      { deploy: 'user', validateDeployment: 'user', undeploy: 'user' },
      policies,
    ),
    guardService(
      WorkloadService,
      {
        streamLogs: streamLogs(services),
        getConfigMap: getConfigMap(services),
        restartPod: restartPod(services),
        resolveIngestToken: resolveIngestToken(services),
      },
      { streamLogs: 'user', getConfigMap: 'user', restartPod: 'user', resolveIngestToken: 'service' },
      policies,
    ),
  ]
}
