import { brotliCompress, constants, gzip } from 'node:zlib'

/** Encodings that answers can have, the preferred one first. */
const ENCODINGS = ['br', 'gzip'] as const

/** A content coding of RFC 9110. */
export type Encoding = (typeof ENCODINGS)[number]

/** Beyond that brotli costs many times the CPU for a few per cent. */
const BROTLI_QUALITY = 4

/** Compresses outside the main thread. */
export function compress(
  encoding: Encoding,
  body: Buffer,
  done: (error: Error | null, bytes: Buffer) => void,
): void {
  if (encoding === 'gzip') return gzip(body, done)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  }
  brotliCompress(body, { params }, done)
}

/** Clients send few different headers, over and over. */
const remembered = new Map<string, Encoding | undefined>()
const MAX_REMEMBERED = 200

/**
 * The encoding to answer with for an `Accept-Encoding` header (RFC 9110, section 12.5.3); undefined
 * for none.
 */
export function acceptedEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined) return undefined
  if (remembered.has(header)) return remembered.get(header)
  const encoding = negotiate(header)
  if (remembered.size < MAX_REMEMBERED && header.length < 200) remembered.set(header, encoding)
  return encoding
}

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
