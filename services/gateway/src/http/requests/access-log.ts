import type { Logger } from '@slipway/shared/logger'
import { plainLines, plainText } from '@slipway/shared/plain-lines'
import { callerFacts } from '@slipway/shared/rpc'
import { traceIdOf } from '@slipway/shared/telemetry'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Returns a function that logs one line per request. Methods, route patterns and request ids
 * contain no characters that JSON escapes, so `plainLines` may write them unchanged. The line names
 * the caller as those of the services do.
 */
export function createAccessLog(
  logger: Logger,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const prepare = plainLines(logger)
  return (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    prepare('request', { method: request.method, route, status: reply.statusCode })({
      duration_ms: Math.round(reply.elapsedTime * 10) / 10,
      request_id: request.id,
      trace_id: traceId(request),
      ...callerFacts(request.caller, plainText),
    })
  }
}

/** Undefined for a request without a trace context that made no RPC. */
function traceId(request: FastifyRequest): string | undefined {
  if (request.knownTraceContext === undefined && request.headers['traceparent'] === undefined)
    return undefined
  return traceIdOf(request.traceContext.traceparent)
}
