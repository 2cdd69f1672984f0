import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { fastifyConnectPlugin } from '@connectrpc/connect-fastify'
import { fastify, type FastifyInstance } from 'fastify'

import { METRICS_TYPE, renderMetrics } from '../../telemetry/render-metrics.ts'
import { ConnectUnaryServer } from './connect-unary-server.ts'
import type { Readiness } from './health.ts'
import { closeWithin } from './http-drain.ts'
import { hostAndPort } from '../host-and-port.ts'
import { DRAIN_MS, KEEP_ALIVE_TIMEOUT_MS, MAX_MESSAGE_BYTES } from '../limits.ts'
import type { GuardedService } from '../policies/guard-service.ts'

/**
 * How long responses ask their callers to use other connections before these are closed. A request
 * sent on a connection that is just being closed would be lost.
 */
const NOTICE_MS = 100

/** A listening operations server. */
export interface OperationsServer extends AsyncDisposable {
  /** The host:port that it listens on, with the actual port. */
  readonly address: string
}

/**
 * Starts the HTTP/1.1 listener of a process: `/livez` (the process is alive), `/readyz` (it accepts
 * requests), `/metrics`, and the RPCs of the given services by Connect and gRPC-web. Disposing of
 * it stops accepting requests, waits up to `drainMs` for running calls, then aborts them.
 */
export async function startOperationsServer(
  address: string,
  readiness: Readiness,
  services: readonly GuardedService[],
  drainMs = DRAIN_MS,
): Promise<OperationsServer> {
  const shutdown = new AbortController()
  const unary = new ConnectUnaryServer(services, shutdown.signal)
  const app = fastify({
    bodyLimit: MAX_MESSAGE_BYTES,
    forceCloseConnections: 'idle',
    serverFactory: (handle) =>
      createServer({ keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS }, (request, response) => {
        if (!unary.handle(request, response)) handle(request, response)
      }),
  })
  addHealthRoutes(app, readiness)
  addMetricsRoute(app)
  if (services.length > 0) {
    await app.register(fastifyConnectPlugin, {
      readMaxBytes: MAX_MESSAGE_BYTES,
      shutdownSignal: shutdown.signal,
      routes: (router) => {
        for (const { service, implementation } of services) router.service(service, implementation)
      },
    })
  }
  const url = await app.listen(hostAndPort(address))
  return {
    address: new URL(url).host,
    async [Symbol.asyncDispose]() {
      if (services.length > 0) {
        unary.drain()
        await sleep(NOTICE_MS)
      }
      await closeWithin(app, drainMs, (reason) => shutdown.abort(reason))
    },
  }
}

/**
 * Adds `/metrics` in Prometheus' text format, 404 when metrics are off. Only for internal
 * listeners.
 */
function addMetricsRoute(app: FastifyInstance): void {
  app.get('/metrics', async (_request, reply) => {
    const text = await renderMetrics()
    if (text === undefined) return await reply.code(404).send({ error: 'metrics are off' })
    return await reply.type(METRICS_TYPE).send(text)
  })
}

/** Adds `/livez` and `/readyz` to an HTTP server. */
export function addHealthRoutes(app: FastifyInstance, readiness: Readiness): void {
  app.get('/livez', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const failing = await readiness.failing()
    return await reply
      .code(failing.length === 0 ? 200 : 503)
      .send({ status: failing.length === 0 ? 'ok' : 'unavailable', failing })
  })
}
