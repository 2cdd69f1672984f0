import {
  isMeasuring,
  isTracing,
  measureHttpRequest,
  openSpan,
  type OpenSpan,
} from '@slipway/shared/telemetry'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { traceHeadersOf } from './request-context.ts'

/**
 * Counts each request by its route's pattern and records its span, if metrics and tracing are on.
 */
export function addTelemetry(app: FastifyInstance): void {
  if (isMeasuring()) {
    app.addHook('onResponse', (request, reply, done) => {
      measureHttpRequest(
        request.method,
        routeOf(request),
        reply.statusCode,
        reply.elapsedTime / 1000,
      )
      done()
    })
  }
  if (isTracing()) addSpans(app)
}

function addSpans(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, OpenSpan>()
  app.addHook('onRequest', (request, _reply, done) => {
    const span = openSpan({
      kind: 'server',
      name: `${request.method} ${routeOf(request)}`,
      parent: traceHeadersOf(request.raw),
    })
    if (span !== undefined) {
      spans.set(request, span)
      request.knownTraceContext = span
    }
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply
    const attributes = {
      'http.request.method': request.method,
      'http.route': routeOf(request),
      'http.response.status_code': statusCode,
      'slipway.request_id': request.id,
    }
    spans.get(request)?.end(attributes, statusCode >= 500 ? String(statusCode) : undefined)
    done()
  })
}

function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unknown'
}
