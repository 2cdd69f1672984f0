import { requestIdFrom, traceparentFrom } from '@slipway/shared/rpc'
import type { UserCaller } from '@slipway/shared/auth'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { createAccessLog } from '../access-log.ts'
import type { GatewayContext } from '../../context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * W3C trace context of the request, passed on to the services; made when it is first asked for.
     */
    readonly traceparent: string
    /** The calling user; undefined for an anonymous request. */
    caller: UserCaller | undefined
    /** The trace context once somebody has asked for it. */
    knownTraceparent: string | undefined
  }
}

/**
 * The id of a request: the one it brought when that is safe, else a new one. For Fastify's
 * `genReqId`.
 */
export function requestIdOf(request: IncomingMessage): string {
  const header = request.headers['x-request-id']
  return requestIdFrom(typeof header === 'string' ? header : undefined)
}

/** Gives each request its trace context, echoes its id, and logs one line when it is answered. */
export function addRequestContext(app: FastifyInstance, { logger }: GatewayContext): void {
  app.decorateRequest('knownTraceparent')
  app.decorateRequest('caller')
  app.decorateRequest('traceparent', {
    getter(this: FastifyRequest) {
      this.knownTraceparent ??= traceparentOf(this)
      return this.knownTraceparent
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

function traceparentOf(request: FastifyRequest): string {
  const header = request.headers['traceparent']
  return traceparentFrom(typeof header === 'string' ? header : undefined)
}
