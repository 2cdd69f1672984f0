import { fastify, type FastifyInstance } from 'fastify'

import { METRICS_TYPE, renderMetrics } from '../../telemetry/render-metrics.ts'
import type { Readiness } from './health.ts'
import { boundAddress, hostAndPort } from '../host-and-port.ts'

export interface OperationsServer extends AsyncDisposable {
  /** The host:port that it listens on, with the actual port. */
  readonly address: string
}

/**
 * Starts the listener of a process for its operators: `/livez` (the process is alive), `/readyz`
 * (it accepts requests) and `/metrics`.
 */
export async function startOperationsServer(
  address: string,
  readiness: Readiness,
): Promise<OperationsServer> {
  const app = fastify({ forceCloseConnections: true })
  addHealthRoutes(app, readiness)
  addMetricsRoute(app)
  const url = await app.listen(hostAndPort(address))
  return {
    address: boundAddress(address, new URL(url).port),
    [Symbol.asyncDispose]: async () => await app.close(),
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
