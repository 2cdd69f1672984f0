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
    description: 'Size of the bucket: requests that can be made at once',
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
  description: 'Bearer, with error="invalid_token" when a token was sent',
}
const ETAG = { type: 'string', description: 'Strong entity tag, for If-None-Match' }
const REPLAYED = {
  type: 'string',
  description: '"true" if this is the stored answer to an earlier request with this key',
}

/** The traits of a route that decide which headers its answers have. */
export interface AnswerTraits {
  readonly takesKey: boolean
  /** Whether it is a GET that answers with JSON. */
  readonly readsJson: boolean
}

/** The headers of a route's answers with a status, as OpenAPI header objects. */
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
