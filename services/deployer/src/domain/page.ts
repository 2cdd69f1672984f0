import { invalidField, Violations, type InvalidInput } from '@slipway/shared/errors'

const DEFAULT_SIZE = 100
const MAX_SIZE = 1000

/** Returns the size of a page; 0 means the default. Throws InvalidInput when out of bounds. */
export function readPageSize(pageSize: number): number {
  const size = pageSize === 0 ? DEFAULT_SIZE : pageSize
  new Violations().requireWithin('page_size', size, 1, MAX_SIZE).throwIfAny()
  return size
}

/** Encodes a position in a list as an opaque token. */
export function toPageToken(position: string): string {
  return Buffer.from(position).toString('base64url')
}

/**
 * Decodes a token; undefined for an empty one, i.e. the beginning of the list. Throws InvalidInput
 * for text that `toPageToken` didn't make.
 */
export function readPageToken(token: string): string | undefined {
  if (token === '') return undefined
  const position = Buffer.from(token, 'base64url').toString()
  if (position === '' || position.includes('\0') || toPageToken(position) !== token)
    throw invalidToken()
  return position
}

/** Like readPageToken, for positions that are revision numbers. */
export function readNumberToken(token: string): number | undefined {
  const position = readPageToken(token)
  if (position === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(position)) throw invalidToken()
  return Number(position)
}

function invalidToken(): InvalidInput {
  return invalidField('page_token', 'must come from a previous answer')
}
