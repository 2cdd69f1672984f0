import { plainLines, type Logger } from '@slipway/shared/logger'
import { traceIdOf } from '@slipway/shared/rpc'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Writes one line per request. Methods, route patterns and request ids hold nothing that JSON would
 * escape.
 */
export function createAccessLog(
  logger: Logger,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const prepare = plainLines(logger)
  return (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    prepare('request', { method: request.method, route, status: reply.statusCode })({
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      requestId: request.id,
      traceId: traceId(request),
    })
  }
}

/** A request that came without a trace and went nowhere has none. */
function traceId(request: FastifyRequest): string | undefined {
  if (request.knownTraceparent === undefined && request.headers['traceparent'] === undefined)
    return undefined
  return traceIdOf(request.traceparent)
}
