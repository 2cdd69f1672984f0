import { userKey } from '@slipway/shared/auth'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { takeToken } from '../limits/take-token.ts'
import type { TokenBuckets } from '../limits/token-buckets.ts'

/** The buckets of the user limit. */
export interface UserLimitOptions {
  readonly users: TokenBuckets
  /** Those of requests that change something. */
  readonly changes: TokenBuckets
  /** The buckets of the address limit, to which tokens are returned. */
  readonly addresses: TokenBuckets
}

/**
 * Limits the requests of each signed-in user, and more strictly those that change something: each
 * of these leaves events and other rows behind, which are kept for days. They don't count against
 * the user's address, so this hook returns the token of the address limit. A request with an
 * invalid token never reaches this hook. Runs after authentication.
 */
export function addUserLimit(
  app: FastifyInstance,
  { users, changes, addresses }: UserLimitOptions,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { caller } = request
    if (caller === undefined) return done()
    addresses.giveBack(request.addressKey)
    const key = userKey(caller)
    const refusal = takeToken(reply, users, key)
    done(refusal ?? (isChange(request) ? takeToken(reply, changes, key, 'changes') : undefined))
  })
}

function isChange({ method, routeOptions: { config } }: FastifyRequest): boolean {
  // Idempotency keys are for requests that change something.
  return method !== 'GET' && method !== 'HEAD' && config.ignoresIdempotencyKey !== true
}
