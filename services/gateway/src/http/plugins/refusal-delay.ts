import type { FastifyInstance } from 'fastify'

import { TokenBuckets } from '../token-buckets.ts'

/** How many refusals a caller gets at once, and then per second. */
const AT_ONCE = { perSecond: 10, burst: 20 }
/** The longest delay of further ones; no longer than any `Retry-After`. */
const DELAY_MS = 1_000

/**
 * Delays the 429s of callers who cause many of them. Most programs send a request when they have
 * the response to another, so without the delay, refusals cost the gateway more than what they
 * refuse. A request that waits holds the caller's connection and, if it has one, its turn.
 */
export function addRefusalDelay(app: FastifyInstance, delayMs: number = DELAY_MS): void {
  const atOnce = new TokenBuckets(AT_ONCE)
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode !== 429) return done(null, payload)
    const { caller, addressKey } = request
    const key = caller === undefined ? addressKey : `user ${caller.realm}\0${caller.subject}`
    if (atOnce.take(key).isAllowed) return done(null, payload)
    const end = (): void => {
      clearTimeout(timer)
      reply.raw.off('close', end)
      done(null, payload)
    }
    // Different delays, so that requests sent together don't return together.
    const timer = setTimeout(end, delayMs * (1 - Math.random() / 2))
    reply.raw.once('close', end)
  })
}
