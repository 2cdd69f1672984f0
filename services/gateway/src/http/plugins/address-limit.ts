import type { FastifyInstance, FastifyRequest } from 'fastify'

import { hasSessionCookie } from '../../sessions/cookies.ts'
import { isLimited } from '../requests/api-scope.ts'
import { networkOf } from '../requests/client-network.ts'
import { takeToken } from '../limits/take-token.ts'
import type { TokenBuckets } from '../limits/token-buckets.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The address bucket that the request took a token from. */
    addressKey: string
  }
}

/**
 * Limits the requests of each client address. Requests with a token have a separate bucket per
 * address, so anonymous requests never use up the limit of signed-in users behind the same address.
 * The user limit returns the token to the bucket once the access token was verified.
 */
export function addAddressLimit(app: FastifyInstance, addresses: TokenBuckets): void {
  app.decorateRequest('addressKey', '')
  app.addHook('onRequest', (request, reply, done) => {
    if (!isLimited(request)) return done()
    request.addressKey = addressKeyOf(request)
    done(takeToken(reply, addresses, request.addressKey))
  })
}

function addressKeyOf(request: FastifyRequest): string {
  const hasToken =
    (request.headers.authorization !== undefined || hasSessionCookie(request.raw)) &&
    request.routeOptions.config.access !== 'public'
  return hasToken ? `token ${networkOf(request.ip)}` : anonymousKey(request.ip)
}

/** The bucket of requests without a token from an address. */
export function anonymousKey(address: string): string {
  return `none ${networkOf(address)}`
}
