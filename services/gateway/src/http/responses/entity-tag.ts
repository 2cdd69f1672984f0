import { hash } from 'node:crypto'

import type { Encoding } from './accept-encoding.ts'

/** Digest of a body before compression, from which its entity tags are made. */
export function digestOf(body: Buffer): string {
  return hash('sha256', body, 'base64url')
}

/** The strong entity tag of a body in an encoding; undefined means not compressed. */
export function entityTag(digest: string, encoding: Encoding | undefined): string {
  return encoding === undefined ? `"${digest}"` : `"${digest}.${encoding}"`
}

/** Whether an `If-None-Match` header (RFC 9110, section 13.1.2) lists the entity tag. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header === '*') return true
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
