import type { FastifyReply } from 'fastify'

import { HttpProblem } from '../problem.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import type { TokenBuckets } from './token-buckets.ts'

/**
 * Takes a token from the bucket of `key` and sets the `RateLimit-*` headers. Returns a 429 problem
 * if the bucket is empty, which says `what` there are too many of.
 */
export function takeToken(
  reply: FastifyReply,
  buckets: TokenBuckets,
  key: string,
  what: 'requests' | 'changes' = 'requests',
): HttpProblem | undefined {
  const { perSecond, burst } = buckets.settings
  const taken = buckets.take(key)
  const headers = rateLimitHeaders(burst, taken)
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] ?? '', headers[at + 1])
  if (taken.isAllowed) return undefined
  const message = `too many ${what}: the limit is ${perSecond} per second; retry later`
  return new HttpProblem(429, 'rate_limited', message, { retryAfterMs: taken.nextInMs })
}
