import { once } from 'node:events'

import { DeploymentEventType } from '@slipway/proto/slipway/deployer/v1/deployment_event'
import { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import type { ServiceImpl } from '@connectrpc/connect'
import { startGrpcServer } from '@slipway/shared/rpc'

/** A deployer whose only deployment can be watched, and never changes. */
export interface WatchedDeployer extends AsyncDisposable {
  /** host:port for DEPLOYER_ADDRESS. */
  readonly address: string
  /** The number of streams that are open. */
  readonly open: number
}

/** Starts the deployer. */
export async function startWatchedDeployer(): Promise<WatchedDeployer> {
  let open = 0
  const implementation: Partial<ServiceImpl<typeof DeploymentService>> = {
    async *watchDeployment(_request, { signal }) {
      open += 1
      try {
        const deploymentId = '0'.repeat(36)
        yield { type: DeploymentEventType.SNAPSHOT, deploymentId, sequence: 1n }
        await once(signal, 'abort')
      } finally {
        open -= 1
      }
    },
  }
  const services = [{ service: DeploymentService, implementation }]
  const server = await startGrpcServer('127.0.0.1:0', services, 0)
  return {
    address: server.address,
    get open() {
      return open
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
