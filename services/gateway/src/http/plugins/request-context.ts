import type { IncomingMessage } from 'node:http'

import type { UserCaller } from '@slipway/shared/auth'
import type { Logger } from '@slipway/shared/logger'
import { requestIdFrom } from '@slipway/shared/rpc'
import { continueTrace, type TraceContext, type TraceHeaders } from '@slipway/shared/telemetry'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { createAccessLog } from '../requests/access-log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Its position in its trace, passed on to the services. Created when it is first read. */
    readonly traceContext: TraceContext
    /** The calling user; undefined for an anonymous request. */
    caller: UserCaller | undefined
    /** The trace context, if it has been created. */
    knownTraceContext: TraceContext | undefined
  }
}

/**
 * The id of a request: the one in `X-Request-Id` if it is safe, otherwise a new one. For Fastify's
 * `genReqId`.
 */
export function requestIdOf(request: IncomingMessage): string {
  const header = request.headers['x-request-id']
  return requestIdFrom(typeof header === 'string' ? header : undefined)
}

/** Adds the trace context to each request, echoes its id, and logs one line per response. */
export function addRequestContext(app: FastifyInstance, logger: Logger): void {
  app.decorateRequest('knownTraceContext')
  app.decorateRequest('caller')
  app.decorateRequest('traceContext', {
    getter(this: FastifyRequest) {
      this.knownTraceContext ??= continueTrace(traceHeadersOf(this.raw))
      return this.knownTraceContext
    },
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  if (!logger.isLevelEnabled('info')) return
  const writeLine = createAccessLog(logger)
  app.addHook('onResponse', (request, reply, done) => {
    writeLine(request, reply)
    done()
  })
}

/** The trace headers of a request. Node.js joins repeated ones with commas. */
export function traceHeadersOf({ headers }: IncomingMessage): TraceHeaders {
  const { traceparent, tracestate } = headers
  return {
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    tracestate: typeof tracestate === 'string' ? tracestate : undefined,
  }
}
