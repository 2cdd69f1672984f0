import { invalidField, Violations } from '../errors.ts'

/** Page tokens are never longer. */
const MAX_TOKEN_LENGTH = 512

/** The bounds of a list's page size. */
export interface PageSizes {
  /** The size of a page if the request has none. */
  readonly usual: number
  readonly max: number
}

/** Returns the size of a page; 0 means the default. Throws InvalidInput when out of bounds. */
export function readPageSize(requested: number, { usual, max }: PageSizes): number {
  const size = requested === 0 ? usual : requested
  new Violations().requireWithin('page_size', size, 1, max).throwIfAny()
  return size
}

/** Encodes a position in a list as an opaque, URL-safe token. */
export function toPageToken(position: string): string {
  return Buffer.from(position).toString('base64url')
}

/**
 * Decodes a token and parses its position; undefined for an empty token, which means the beginning
 * of a list. Throws InvalidInput for a string that `toPageToken` didn't create, or if `parse`
 * rejects its position by returning undefined.
 */
export function readPageToken<Position>(
  token: string,
  parse: (position: string) => Position | undefined,
): Position | undefined {
  if (token === '') return undefined
  const text = token.length > MAX_TOKEN_LENGTH ? '' : Buffer.from(token, 'base64url').toString()
  const position = text !== '' && toPageToken(text) === token ? parse(text) : undefined
  if (position === undefined) throw invalidField('page_token', 'must come from a previous response')
  return position
}
