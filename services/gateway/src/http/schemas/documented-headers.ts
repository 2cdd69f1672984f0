interface Header {
  readonly type: string
  readonly description: string
}

const COMMON: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    type: 'string',
    description: 'The X-Request-Id of the request if it is safe, otherwise a new id',
  },
  'RateLimit-Limit': {
    type: 'integer',
    description: 'Size of the bucket: the maximum burst of requests',
  },
  'RateLimit-Remaining': { type: 'integer', description: 'Requests left in the bucket' },
  'RateLimit-Reset': { type: 'integer', description: 'Seconds until the bucket is full' },
}
const RETRY_AFTER = {
  type: 'integer',
  description: 'Seconds after which the same request may succeed',
}
const CHALLENGE = {
  type: 'string',
  description:
    'Bearer with resource_metadata="URL", which leads to the issuers of tokens (RFC 9728), and ' +
    'with error="invalid_token" when a token was sent',
}
const ETAG = { type: 'string', description: 'Strong entity tag, for If-None-Match' }
const REPLAYED = {
  type: 'string',
  description: '"true" if this is the stored response to an earlier request with this key',
}

/** The properties of a route that determine the headers of its responses. */
export interface AnswerTraits {
  readonly takesKey: boolean
  /** Whether it is a GET that returns JSON. */
  readonly readsJson: boolean
}

/** Returns the headers of a route's responses with a status, as OpenAPI header objects. */
export function responseHeaders(
  status: number,
  { takesKey, readsJson }: AnswerTraits,
): Record<string, Header> {
  return {
    ...COMMON,
    ...(status === 401 ? { 'WWW-Authenticate': CHALLENGE } : {}),
    ...(status === 409 || status === 429 || status === 503 ? { 'Retry-After': RETRY_AFTER } : {}),
    ...(readsJson && (status === 200 || status === 304) ? { ETag: ETAG } : {}),
    ...(takesKey && status < 300 ? { 'Idempotency-Replayed': REPLAYED } : {}),
  }
}
