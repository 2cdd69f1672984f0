import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect'
import type { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'

import type { DeployerContext } from '../context.ts'

/** Streams the logs of all pods of a deployment. */
export function streamDeploymentLogs(
  _context: DeployerContext,
): ServiceImpl<typeof WorkloadService>['streamDeploymentLogs'] {
  return () => {
    throw new ConnectError('not available yet', Code.Unimplemented)
  }
}
