import { once } from 'node:events'

import { DeploymentEventType } from '@slipway/proto/slipway/deployer/v1/deployment_event'
import { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { startGrpcServer } from '@slipway/shared/rpc'

import { partialService } from './partial-service.ts'

/** A deployer whose calls run until the test releases them. */
export interface StreamingDeployer extends AsyncDisposable {
  /** host:port for DEPLOYER_ADDRESS. */
  readonly address: string
  /** Number of calls so far. */
  readonly started: number
  /** Number of calls that are running. */
  readonly running: number
  /** Ends all calls; a log ends with a last line. */
  release(): void
}

/**
 * Starts the deployer. A log starts with one line and a watch with a snapshot; then both wait to be
 * released or aborted. A deploy waits from the start.
 */
export async function startStreamingDeployer(): Promise<StreamingDeployer> {
  const counts = { started: 0, running: 0 }
  const released = Promise.withResolvers<void>()
  async function hold<Value>(signal: AbortSignal, value: Value): Promise<Value> {
    counts.started += 1
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
      partialService(DeploymentService, {
        deploy: (_request, { signal }) => hold(signal, { result: {} }),
        async *watchDeployment(_request, { signal }) {
          yield { type: DeploymentEventType.SNAPSHOT, deploymentId: '0'.repeat(36) }
          await hold(signal, undefined)
        },
      }),
      partialService(WorkloadService, {
        async *streamLogs(_request, { signal }) {
          yield { data: Buffer.from('first\n') }
          yield await hold(signal, { data: Buffer.from('last\n') })
        },
      }),
    ],
    0,
  )
  return {
    address: server.address,
    get started() {
      return counts.started
    },
    get running() {
      return counts.running
    },
    release: () => released.resolve(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
