import type { Logger } from '@slipway/shared/logger'
import { traceIdOf } from '@slipway/shared/rpc'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { symbols } from 'pino'

/**
 * Writes one line per request to the logger's own stream. Put together by hand: the logger would take several times as
 * long to serialise and redact it, which a cached answer costs in all. Undefined when such lines aren't wanted.
 */
export function createAccessLog(logger: Logger): ((request: FastifyRequest, reply: FastifyReply) => void) | undefined {
  if (!logger.isLevelEnabled('info')) return undefined
  const stream = (logger as unknown as { [symbols.streamSym]: { write(line: string): void } })[symbols.streamSym]
  const service = JSON.stringify(logger.bindings()['service'] ?? 'gateway')
  const time = clock()
  return (request, reply) => {
    // Methods, route patterns and request ids hold nothing that JSON would escape.
    const route = request.routeOptions.url ?? 'unknown'
    const durationMs = Math.round(reply.elapsedTime * 10) / 10
    stream.write(
      `{"level":"info","time":"${time()}","service":${service},"method":"${request.method}","route":"${route}",` +
        `"status":${reply.statusCode},"durationMs":${durationMs},"requestId":"${request.id}"${trace(request)},"event":"request"}\n`,
    )
  }
}

/** A request that came without a trace and went nowhere has none. */
function trace(request: FastifyRequest): string {
  if (request.knownTraceparent === undefined && request.headers['traceparent'] === undefined) return ''
  return `,"traceId":"${traceIdOf(request.traceparent)}"`
}

/** The time as text, written anew once a millisecond. */
function clock(): () => string {
  let last = 0
  let text = ''
  return () => {
    const now = Date.now()
    if (now !== last) {
      last = now
      text = new Date(now).toISOString()
    }
    return text
  }
}
