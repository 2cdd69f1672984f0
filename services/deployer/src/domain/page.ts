import { invalidField, Violations, type InvalidInput } from '@slipway/shared/errors'

const DEFAULT_SIZE = 100
const MAX_SIZE = 1000

/** The size of a page: 0 means the default. InvalidInput when it is out of bounds. */
export function readPageSize(pageSize: number): number {
  const size = pageSize === 0 ? DEFAULT_SIZE : pageSize
  new Violations().requireWithin('page_size', size, 1, MAX_SIZE).throwIfAny()
  return size
}

/** A place in a list as a token, so that nobody builds on what it looks like. */
export function toPageToken(place: string): string {
  return Buffer.from(place).toString('base64url')
}

/**
 * The place that a token stands for; undefined for the beginning. InvalidInput when it is not one
 * of ours.
 */
export function readPageToken(token: string): string | undefined {
  if (token === '') return undefined
  const place = Buffer.from(token, 'base64url').toString()
  if (place === '' || place.includes('\0') || toPageToken(place) !== token) throw notOurs()
  return place
}

/** As readPageToken, for places that are numbers of revisions. */
export function readNumberToken(token: string): number | undefined {
  const place = readPageToken(token)
  if (place === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(place)) throw notOurs()
  return Number(place)
}

function notOurs(): InvalidInput {
  return invalidField('page_token', 'must come from a previous answer')
}
