import { Health } from '@slipway/proto/grpc/health/v1/health'

import { warningsOnly } from '../../logging/logger.ts'
import { startConnectServer } from './connect-server.ts'
import { startGrpcServer } from './grpc-server.ts'
import { healthService, Readiness, type ReadinessCheck } from './health.ts'
import { DRAIN_MS } from '../limits.ts'
import { startOperationsServer } from './operations-server.ts'
import { createReceiving } from './receiving.ts'
import { reflectionServices } from './reflection.ts'
import type { ServerCertificate } from '../../config/tls.ts'
import {
  guardService,
  type GuardedService,
  type PolicyDependencies,
} from '../policies/guard-service.ts'

/** The listeners of a service, each a host:port. */
export interface ListenAddresses {
  /** Native gRPC. */
  readonly grpcAddress: string
  /** Connect over HTTP/1.1. */
  readonly connectAddress: string
  /** Health and metrics, without RPCs. */
  readonly opsAddress: string
}

/** A running server, with the actual ports of its listeners. */
export interface RpcServer extends AsyncDisposable, ListenAddresses {}

/** The RPCs of a service, and the addresses to serve them on; port 0 chooses a free one. */
export interface RpcServerOptions extends PolicyDependencies, ListenAddresses {
  /** The service's RPCs; see guardService. */
  readonly services: readonly GuardedService[]
  /** Readiness checks by name. */
  readonly checks: Readonly<Record<string, ReadinessCheck>>
  /** Both RPC listeners serve TLS with it; undefined serves plaintext. */
  readonly certificate?: ServerCertificate | undefined
  /** How long running calls may continue after the server starts to stop. */
  readonly drainMs?: number
  /** Whether tools may read the protos over gRPC. */
  readonly reflection?: boolean
}

/**
 * Serves the same handlers over native gRPC and over Connect on HTTP/1.1, and the process's health
 * on a third listener. Disposing of it makes the process not ready, stops accepting calls, waits
 * for running ones, then aborts them.
 */
export async function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const readiness = new Readiness(options.checks, options.logger)
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
  const described = services.map(({ service }) => service)
  const reflection = options.reflection ? reflectionServices(described, options) : []
  const { drainMs = DRAIN_MS, certificate } = options
  const receiving = createReceiving()
  await using starting = new AsyncDisposableStack()
  const grpc = starting.use(
    await startGrpcServer(options.grpcAddress, [...services, ...reflection], drainMs, {
      certificate,
      receiving,
    }),
  )
  const connect = starting.use(
    await startConnectServer(options.connectAddress, services, { drainMs, certificate, receiving }),
  )
  // Last, so that the process never reports "ready" too early.
  const operations = starting.use(await startOperationsServer(options.opsAddress, readiness))
  starting.move()
  const addresses = {
    grpcAddress: grpc.address,
    connectAddress: connect.address,
    opsAddress: operations.address,
  }
  let stopped: Promise<void> | undefined
  async function stop(): Promise<void> {
    readiness.drain()
    // In parallel, so that each one has the full time to drain.
    await Promise.all([grpc[Symbol.asyncDispose](), connect[Symbol.asyncDispose]()])
    // Until then, the process reports that it is alive but not ready.
    await operations[Symbol.asyncDispose]()
  }
  options.logger.info(
    { grpc: grpc.address, connect: connect.address, operations: operations.address },
    'listening',
  )
  return {
    ...addresses,
    async [Symbol.asyncDispose]() {
      stopped ??= stop()
      await stopped
    },
  }
}
