import type { Taken } from './token-buckets.ts'

/**
 * The `RateLimit-*` headers after a token was taken from a bucket of `limit` tokens: a flat list of
 * names and values, as `ServerResponse.writeHead` takes it.
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
