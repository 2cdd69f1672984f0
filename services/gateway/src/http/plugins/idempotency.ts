import { createHmac } from 'node:crypto'

import type { FastifyInstance, preHandlerHookHandler, RouteOptions } from 'fastify'

import type { GatewayContext } from '../../context.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes no notice of `Idempotency-Key`. */
    ignoresIdempotencyKey?: boolean
  }
  interface FastifyRequest {
    /** What the services need to answer a repeated request with the answer of the first. */
    idempotency: { readonly key: string; readonly fingerprint: string } | undefined
    /** The body as it came; kept only for a request with an idempotency key. */
    rawBody: Buffer | undefined
  }
}

/**
 * Reads `Idempotency-Key` of POST requests, whose shape their schema has checked. What goes to the
 * service is made by an HMAC with the configured secret: the key, so that it counts for this
 * method, path and query only, and the fingerprint of the whole request, whose body may hold
 * credentials.
 */
export function addIdempotency(app: FastifyInstance, { config }: GatewayContext): void {
  app.decorateRequest('idempotency')
  app.decorateRequest('rawBody')
  const readKey: preHandlerHookHandler = (request, _reply, done) => {
    const key = request.headers['idempotency-key']
    if (typeof key !== 'string') return done()
    const digest = (kind: string, ...parts: readonly (Buffer | string)[]) => {
      const hmac = createHmac('sha256', config.idempotencyKeySecret).update(
        `${kind}\0${request.method}\0${request.url}`,
      )
      for (const part of parts) hmac.update('\0').update(part)
      return hmac.digest('base64url')
    }
    request.idempotency = {
      key: digest('key', key),
      fingerprint: digest('request', request.rawBody ?? Buffer.alloc(0)),
    }
    request.rawBody = undefined
    done()
  }
  app.addHook('onRoute', (route) => {
    if (takesIdempotencyKey(route)) route.preHandler = [readKey, ...[route.preHandler ?? []].flat()]
  })
}

/** Whether a route heeds the key of its requests. */
export function takesIdempotencyKey({ method, url, config }: RouteOptions): boolean {
  return method === 'POST' && url.startsWith('/api/') && config?.ignoresIdempotencyKey !== true
}
