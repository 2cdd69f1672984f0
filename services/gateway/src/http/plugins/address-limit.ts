import { isIPv6 } from 'node:net'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { GatewayConfig } from '../../config.ts'
import type { GatewayContext } from '../../context.ts'
import { HttpProblem } from '../problem.ts'
import { TokenBuckets, type Taken } from '../token-buckets.ts'
import { isInApi } from '../api-scope.ts'

/** Addresses and users that are remembered. */
const MAX_KEYS = 100_000

/** Bucket of each address. The front desk takes from the same ones. */
export function addressBuckets({ rateLimits }: GatewayConfig): TokenBuckets {
  return new TokenBuckets(rateLimits.address, MAX_KEYS)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The address bucket that the request has taken a token from. */
    addressKey: string
  }
}

/** Hooks for before and after the check of the access token. */
export interface RateLimits {
  readonly addAddressLimit: () => void
  readonly addUserLimit: () => void
}

/**
 * Limits how often an address and a user may ask. Requests without a token, or with one that proves
 * bad, count against their address; those of signed-in users against the user alone. Attempts with
 * a token have a bucket of their own, so anonymous requests from an address never use up what its
 * signed-in users need.
 */
export function rateLimits(
  app: FastifyInstance,
  { config }: GatewayContext,
  addresses: TokenBuckets,
): RateLimits {
  const users = new TokenBuckets(config.rateLimits.user, MAX_KEYS)
  return {
    addAddressLimit() {
      app.decorateRequest('addressKey', '')
      app.addHook('onRequest', (request, reply, done) => {
        if (!isInApi(request)) return done()
        request.addressKey = addressKeyOf(request)
        const taken = addresses.take(request.addressKey)
        tell(reply, addresses.settings.burst, taken)
        done(taken.isAllowed ? undefined : tooMany(taken))
      })
    },
    addUserLimit() {
      app.addHook('onRequest', (request, reply, done) => {
        const { caller } = request
        if (caller === undefined) return done()
        addresses.giveBack(request.addressKey)
        const taken = users.take(`${caller.realm}\0${caller.subject}`)
        tell(reply, users.settings.burst, taken)
        done(taken.isAllowed ? undefined : tooMany(taken))
      })
    },
  }
}

function addressKeyOf(request: FastifyRequest): string {
  const attempts =
    request.headers.authorization !== undefined && request.routeOptions.config.access !== 'public'
  return attempts ? `token ${networkOf(request.ip)}` : anonymousKey(request.ip)
}

/** The bucket of requests from an address that bring no token. */
export function anonymousKey(address: string): string {
  return `none ${networkOf(address)}`
}

/** Whoever has one IPv6 address has its whole /64. */
export function networkOf(address: string): string {
  if (!address.includes(':') || !isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  if (tail !== undefined) {
    const rest = tail.split(':').filter((group) => group !== '')
    while (groups.length + rest.length < 8) groups.push('0')
  }
  return groups.slice(0, 4).join(':')
}

/**
 * Names and values in turn;
 * https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-06
 */
export function rateLimitHeaders(limit: number, { remaining, fullInMs }: Taken): string[] {
  return [
    'ratelimit-limit',
    String(limit),
    'ratelimit-remaining',
    String(remaining),
    'ratelimit-reset',
    String(Math.ceil(fullInMs / 1000)),
  ]
}

function tell(reply: FastifyReply, limit: number, taken: Taken): void {
  const headers = rateLimitHeaders(limit, taken)
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] ?? '', headers[at + 1])
}

function tooMany({ nextInMs }: Taken): HttpProblem {
  return new HttpProblem(429, 'rate_limited', 'too many requests', { retryAfterMs: nextInMs })
}
