import type { DomainError, FieldViolation } from '../../errors.ts'

/** The metadata of an error that lists only some of its violations: how many are missing. */
export const OMITTED_VIOLATIONS = 'omitted_violations'

/**
 * gRPC sends errors in trailers, with the details in base64. Many clients accept 8 KiB of trailers.
 * More than 64 KiB break the HTTP/2 session and with it every other call on it.
 */
const MAX_ERROR_BYTES = 5_000

/** Maximum length of the message, and of all values in the metadata together. */
const MAX_TEXT_BYTES = 1_500

/** Maximum length of the field and of the description of a violation. */
const MAX_VIOLATION_TEXT_BYTES = 500

/** Overhead of each violation in addition to its strings. */
const VIOLATION_OVERHEAD_BYTES = 8

type ErrorContent = Pick<DomainError, 'message' | 'metadata' | 'violations'>

/**
 * Shortens an error until it fits into trailers: truncates long strings and omits the last
 * violations. The message and `omitted_violations` in the metadata then say how many are missing.
 */
export function fitTrailers(error: ErrorContent): ErrorContent {
  const message = cut(error.message, MAX_TEXT_BYTES)
  const metadata = cutAll(error.metadata)
  // The message is in the details as well, and percent-encoding can triple it.
  const textBytes = 3 * byteLength(message) + byteLength(JSON.stringify(metadata))
  const violations = takeWithin(error.violations, MAX_ERROR_BYTES - textBytes)
  const omitted = error.violations.length - violations.length
  if (omitted === 0) return { message, metadata, violations }
  return {
    message: `${message} (${omitted} more problems are not listed)`,
    metadata: { ...metadata, [OMITTED_VIOLATIONS]: String(omitted) },
    violations,
  }
}

function cutAll(metadata: ErrorContent['metadata']): Record<string, string> {
  const entries = Object.entries(metadata)
  const bytes = entries.reduce((sum, [, value]) => sum + byteLength(value), 0)
  const most = bytes > MAX_TEXT_BYTES ? Math.floor(MAX_TEXT_BYTES / entries.length) : bytes
  return Object.fromEntries(entries.map(([key, value]) => [key, cut(value, most)]))
}

function takeWithin(violations: readonly FieldViolation[], maxBytes: number): FieldViolation[] {
  const taken: FieldViolation[] = []
  let bytes = 0
  for (const violation of violations) {
    const field = cut(violation.field, MAX_VIOLATION_TEXT_BYTES)
    const description = cut(violation.description, MAX_VIOLATION_TEXT_BYTES)
    bytes += byteLength(field) + byteLength(description) + VIOLATION_OVERHEAD_BYTES
    if (bytes > maxBytes) break
    taken.push({ field, description })
  }
  return taken
}

function cut(text: string, maxBytes: number): string {
  if (byteLength(text) <= maxBytes) return text
  // A truncated character becomes a replacement character.
  const head = Buffer.from(text).toString('utf8', 0, maxBytes - 3)
  return `${head.replace(/\uFFFD+$/, '')}…`
}

function byteLength(text: string): number {
  return Buffer.byteLength(text)
}
