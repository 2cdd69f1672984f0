import { requestIdFrom, traceIdOf, traceparentFrom } from '@slipway/shared/rpc'
import type { UserCaller } from '@slipway/shared/auth'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

import type { GatewayContext } from '../context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** W3C trace context of the request, passed on to the services. */
    traceparent: string
    /** The calling user; undefined for an anonymous request. */
    caller: UserCaller | undefined
  }
}

/** The id of a request: the one it brought when that is safe, else a new one. For Fastify's `genReqId`. */
export function requestIdOf(request: IncomingMessage): string {
  const header = request.headers['x-request-id']
  return requestIdFrom(typeof header === 'string' ? header : undefined)
}

/** Gives each request its trace context, echoes its id, and logs one line when it is answered. */
export function addRequestContext(app: FastifyInstance, { logger }: GatewayContext): void {
  app.decorateRequest('traceparent', '')
  app.decorateRequest('caller')
  app.addHook('onRequest', async (request, reply) => {
    const header = request.headers['traceparent']
    request.traceparent = traceparentFrom(typeof header === 'string' ? header : undefined)
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      requestId: request.id,
      traceId: traceIdOf(request.traceparent),
    }
    logger.info(line, 'request')
  })
}
