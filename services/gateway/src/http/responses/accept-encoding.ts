/** Supported encodings of responses, the preferred one first. */
const ENCODINGS = ['br', 'gzip'] as const

/** A content coding of RFC 9110. */
export type Encoding = (typeof ENCODINGS)[number]

/** Clients send few different headers, so each is parsed once: 0.1 µs instead of 3 µs. */
const parsed = new Map<string, Encoding | undefined>()
const MAX_PARSED = 200
const MAX_PARSED_LENGTH = 200

/**
 * Returns the response encoding for an `Accept-Encoding` header (RFC 9110, section 12.5.3);
 * undefined means not compressed.
 */
export function acceptedEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined) return undefined
  if (parsed.has(header)) return parsed.get(header)
  const encoding = negotiate(header)
  if (parsed.size < MAX_PARSED && header.length < MAX_PARSED_LENGTH) parsed.set(header, encoding)
  return encoding
}

// For `br;q=0, *`, @fastify/accept-negotiator 2.1 returns br, which the client rejects.
function negotiate(header: string): Encoding | undefined {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2)
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0)
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const best = ENCODINGS.reduce((left, right) => (weightOf(right) > weightOf(left) ? right : left))
  const identity = weights.get('identity') ?? 0
  return weightOf(best) > 0 && weightOf(best) >= identity ? best : undefined
}
