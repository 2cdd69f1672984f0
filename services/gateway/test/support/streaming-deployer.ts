import { once } from 'node:events'

import type { DescService } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  DeploymentEventType,
  DeploymentService,
} from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { startGrpcServer, type GuardedService } from '@slipway/shared/rpc'

/**
 * A gRPC server whose answers take as long as a test wants: the far end of the gateway's streams
 * and waits.
 */
export interface StreamingDeployer extends AsyncDisposable {
  /** host:port for DEPLOYER_ADDRESS. */
  readonly address: string
  /** Calls that ever came. */
  readonly begun: number
  /** Calls that go on. */
  readonly running: number
  /** Lets all calls end: a log with a last line. */
  release(): void
}

/**
 * Starts such a server. A log begins with a line, the events of a deployment with a snapshot; then
 * both, and deploys from the start, wait to be released or aborted.
 */
export async function streamingDeployer(): Promise<StreamingDeployer> {
  const counts = { begun: 0, running: 0 }
  const released = Promise.withResolvers<void>()
  async function held<Value>(signal: AbortSignal, value: Value): Promise<Value> {
    counts.begun += 1
    counts.running += 1
    try {
      await Promise.race([released.promise, once(signal, 'abort')])
      return value
    } finally {
      counts.running -= 1
    }
  }
  const server = await startGrpcServer(
    '127.0.0.1:0',
    [
      served(DeploymentService, {
        deploy: (_request, { signal }) => held(signal, { result: {} }),
        async *watchDeployment(_request, { signal }) {
          yield { type: DeploymentEventType.SNAPSHOT, deploymentId: '0'.repeat(36) }
          await held(signal, undefined)
        },
      }),
      served(WorkloadService, {
        async *streamLogs(_request, { signal }) {
          yield { data: Buffer.from('first\n') }
          yield await held(signal, { data: Buffer.from('last\n') })
        },
      }),
    ],
    0,
  )
  return {
    address: server.address,
    get begun() {
      return counts.begun
    },
    get running() {
      return counts.running
    },
    release: () => released.resolve(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** A service of which a test answers only what it asks for. */
export function served<Service extends DescService>(
  service: Service,
  implementation: Partial<ServiceImpl<Service>>,
): GuardedService {
  return { service, implementation }
}
