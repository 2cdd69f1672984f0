import type { FastifyInstance } from 'fastify'

import { takeToken } from '../take-token.ts'
import type { TokenBuckets } from '../token-buckets.ts'

/** The buckets of the user limit. */
export interface UserLimitOptions {
  readonly users: TokenBuckets
  /** The buckets of the address limit, to which tokens are returned. */
  readonly addresses: TokenBuckets
}

/**
 * Limits the requests of each signed-in user. They don't count against the user's address, so this
 * hook returns the token of the address limit. A request with an invalid token never reaches this
 * hook. Runs after authentication.
 */
export function addUserLimit(app: FastifyInstance, { users, addresses }: UserLimitOptions): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { caller } = request
    if (caller === undefined) return done()
    addresses.giveBack(request.addressKey)
    done(takeToken(reply, users, `${caller.realm}\0${caller.subject}`))
  })
}
