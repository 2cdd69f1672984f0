import { Health } from '@slipway/proto/grpc/health/v1/health'

import { warningsOnly } from '../../logger.ts'
import { startGrpcServer } from './grpc-server.ts'
import { healthService, Readiness, type ReadinessCheck } from './health.ts'
import { DRAIN_MS } from '../limits.ts'
import { startOperationsServer, type OperationsServer } from './operations-server.ts'
import {
  guardService,
  type GuardedService,
  type PolicyDependencies,
} from '../policies/guard-service.ts'

/** The two listeners of a service. */
export interface RpcServer extends AsyncDisposable {
  /** host:port of the gRPC listener. */
  readonly grpcAddress: string
  /** host:port of the operations listener. */
  readonly opsAddress: string
}

/** The RPCs of a service, and where to serve them. */
export interface RpcServerOptions extends PolicyDependencies {
  /** host:port for native gRPC; port 0 chooses a free one. */
  readonly grpcAddress: string
  /** host:port for health and Connect over HTTP/1.1; port 0 chooses a free one. */
  readonly opsAddress: string
  /** The service's RPCs; see guardService. */
  readonly services: readonly GuardedService[]
  /** Readiness checks by name. */
  readonly checks: Readonly<Record<string, ReadinessCheck>>
  /** How long running calls may continue after the server starts to stop. */
  readonly drainMs?: number
}

/**
 * Serves the same handlers by native gRPC and, next to the health routes, by Connect over HTTP/1.1.
 * Disposing of it makes the process not ready, stops accepting calls, waits for running ones, then
 * aborts them.
 */
export async function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const readiness = new Readiness(options.checks)
  const names = options.services.map(({ service }) => service.typeName)
  const health = guardService(
    Health,
    healthService(readiness, names),
    { check: 'public', list: 'public', watch: 'public' },
    {
      ...options,
      logger: warningsOnly(options.logger),
    },
  )
  const services = [...options.services, health]
  const { drainMs = DRAIN_MS } = options
  const grpc = await startGrpcServer(options.grpcAddress, services, drainMs)
  let operations: OperationsServer
  try {
    operations = await startOperationsServer(options.opsAddress, readiness, services, drainMs)
  } catch (error) {
    await grpc[Symbol.asyncDispose]()
    throw error
  }
  let stopped: Promise<unknown> | undefined
  options.logger.info({ grpc: grpc.address, operations: operations.address }, 'listening')
  return {
    grpcAddress: grpc.address,
    opsAddress: operations.address,
    async [Symbol.asyncDispose]() {
      readiness.drain()
      // In parallel, so that each has the whole time to drain.
      stopped ??= Promise.all([grpc[Symbol.asyncDispose](), operations[Symbol.asyncDispose]()])
      await stopped
    },
  }
}
