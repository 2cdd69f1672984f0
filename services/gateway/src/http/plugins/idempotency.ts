import { createHmac } from 'node:crypto'

import type { FastifyInstance, preHandlerHookHandler, RouteOptions } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route ignores `Idempotency-Key`. */
    ignoresIdempotencyKey?: boolean
    /** The response has a secret, so it is not stored: the route ignores `Idempotency-Key`. */
    returnsSecret?: boolean
  }
  interface FastifyRequest {
    /** The values that a service needs to return the first response to a repeated request. */
    idempotency: { readonly key: string; readonly fingerprint: string } | undefined
    /** The body as received; kept only for a request with an idempotency key. */
    rawBody: Buffer | undefined
  }
}

/**
 * Reads `Idempotency-Key` of POST requests; the route's schema has checked its shape. The service
 * gets two HMACs made with `secret`: a key, which is valid for this method, path and query only,
 * and a fingerprint of the whole request. They are HMACs because the body may contain credentials.
 */
export function addIdempotency(app: FastifyInstance, secret: Buffer): void {
  app.decorateRequest('idempotency')
  app.decorateRequest('rawBody')
  const readKey: preHandlerHookHandler = (request, _reply, done) => {
    const key = request.headers['idempotency-key']
    if (typeof key !== 'string') return done()
    const digest = (kind: string, ...parts: readonly (Buffer | string)[]) => {
      const hmac = createHmac('sha256', secret).update(`${kind}\0${request.method}\0${request.url}`)
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

/** Whether a route honors `Idempotency-Key`. */
export function takesIdempotencyKey({ method, url, config }: RouteOptions): boolean {
  const { ignoresIdempotencyKey, returnsSecret } = config ?? {}
  return (
    method === 'POST' &&
    url.startsWith('/api/') &&
    ignoresIdempotencyKey !== true &&
    returnsSecret !== true
  )
}
