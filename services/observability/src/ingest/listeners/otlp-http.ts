import type { Readable } from 'node:stream'

import { limitConnectionAge } from '@slipway/shared/connection-age'
import { limitConnections } from '@slipway/shared/connection-limit'
import { closeWithin, DRAIN_MS, hostAndPort, NOTICE_MS } from '@slipway/shared/rpc'
import { measureHttpRequest } from '@slipway/shared/telemetry'
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify'

import { addExportRoute } from './export-route.ts'
import { toHttpError } from '../decode/http-error.ts'
import type { IngestContext, OtlpListener } from './ingest-context.ts'
import { addMetricsRoute, METRICS_PATH } from './metrics-route.ts'
import { answerError, JSON_TYPE, PROTOBUF } from './otlp-answer.ts'
import { OtlpSenders } from './otlp-senders.ts'
import { logs, traces } from './otlp-signals.ts'
import { discardBody, readBody } from './read-body.ts'

/** How often to check for slow senders. */
const TIMEOUT_CHECK_MS = 500

/**
 * Serves OTLP over HTTP: `POST /v1/traces`, `/v1/logs` and `/v1/metrics` with protobuf or JSON,
 * plain or gzipped. A 200 means that all spans are stored except those reported as rejected.
 * https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
export async function startOtlpHttp(
  address: string,
  context: IngestContext,
  noticeMs: number = NOTICE_MS,
): Promise<OtlpListener> {
  const app = fastify({
    bodyLimit: context.settings.bodyBytes,
    requestTimeout: context.settings.bodyTimeoutMs,
    // Node applies the longer of the two timeouts to the body, so both are equal.
    http: {
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      headersTimeout: context.settings.bodyTimeoutMs,
    },
    forceCloseConnections: 'idle',
    // Requests that arrive while it closes are served, too.
    return503OnClosing: false,
  })
  limitConnectionAge(app.server)
  limitConnections(app.server, context.settings.connectionsPerAddress, (client) => client)
  const senders = new OtlpSenders(context)
  readBodies(app, context, senders)
  answerErrors(app, context)
  addExportRoute(app, context, senders, { signal: traces, ingest: context.ingest.traces })
  addExportRoute(app, context, senders, { signal: logs, ingest: context.ingest.logs })
  addMetricsRoute(app, senders)
  const url = await app.listen(hostAndPort(address))
  const closing = { noticeMs, drainMs: DRAIN_MS, endCalls: () => undefined }
  return { address: new URL(url).host, [Symbol.asyncDispose]: () => closeWithin(app, closing) }
}

function readBodies(app: FastifyInstance, { settings }: IngestContext, senders: OtlpSenders): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    [PROTOBUF, JSON_TYPE],
    async (request: FastifyRequest, body: Readable) => {
      const sender = senders.find(request)
      // A request without a route has no sender and is not read.
      if (sender === undefined) return undefined
      if (request.routeOptions.url === METRICS_PATH)
        return await discardBody(body, settings.bodyBytes)
      return await readBody(body, settings.bodyBytes, sender.reservation)
    },
  )
}

function answerErrors(app: FastifyInstance, { logger }: IngestContext): void {
  app.setNotFoundHandler(async (request, reply) => {
    const message = `there is no ${request.method} ${request.url}; ${PATHS}`
    return await answerError(reply.code(404), request, { code: 5, message })
  })
  app.setErrorHandler(async (error, request, reply) => {
    const { status, code, message, retryAfterSeconds } = toHttpError(error)
    if (status >= 500) logger.warn({ err: error, status }, 'ingest_failed')
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
    if (status === 401) reply.header('www-authenticate', 'Bearer')
    return await answerError(reply.code(status), request, { code, message })
  })
  app.addHook('onResponse', (request, reply, done) => {
    measureHttpRequest(
      request.method,
      request.routeOptions.url ?? 'unknown',
      reply.statusCode,
      reply.elapsedTime / 1000,
    )
    done()
  })
}

const PATHS = 'send OTLP with POST to /v1/traces, /v1/logs or /v1/metrics'
