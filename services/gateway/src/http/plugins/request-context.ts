import type { IncomingMessage } from 'node:http'

import type { UserCaller } from '@slipway/shared/auth'
import type { Logger } from '@slipway/shared/logger'
import { requestIdFrom, traceparentFrom } from '@slipway/shared/rpc'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { createAccessLog } from '../access-log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** W3C trace context, passed on to the services. Created when it is first read. */
    readonly traceparent: string
    /** The calling user; undefined for an anonymous request. */
    caller: UserCaller | undefined
    /** The trace context, if it has been created. */
    knownTraceparent: string | undefined
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

/** Gives each request its trace context, echoes its id, and logs one line per answer. */
export function addRequestContext(app: FastifyInstance, logger: Logger): void {
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
