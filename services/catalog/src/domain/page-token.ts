import { invalidField, type InvalidInput } from '@slipway/shared/errors'

import { isAccountName } from './account-name.ts'
import { isAgentName } from './build-fields.ts'
import { isUserId } from './ids.ts'

/** The last agent of a page: the next page starts after it. */
export interface PagePosition {
  readonly name: string
  readonly account: string
}

/** Writes a position among agents as an opaque token that fits into a URL. */
export function writePageToken({ name, account }: PagePosition): string {
  return encode(`${name}/${account}`)
}

/**
 * Reads a token of `writePageToken`; undefined for the empty one. Throws InvalidInput for anything
 * else.
 */
export function readPageToken(token: string): PagePosition | undefined {
  if (token === '') return undefined
  const [name = '', account = '', ...rest] = decode(token).split('/')
  if (isAgentName(name) && isAccountName(account) && rest.length === 0) return { name, account }
  throw badToken()
}

/** Writes a position among members, the id of the last one, as a token. */
export function writeMemberToken(userId: string): string {
  return encode(userId)
}

/**
 * Reads a token of `writeMemberToken`; undefined for the empty one. Throws InvalidInput for
 * anything else.
 */
export function readMemberToken(token: string): string | undefined {
  if (token === '') return undefined
  const userId = decode(token)
  if (isUserId(userId)) return userId
  throw badToken()
}

function encode(position: string): string {
  return Buffer.from(position).toString('base64url')
}

function decode(token: string): string {
  return token.length > 256 ? '' : Buffer.from(token, 'base64url').toString()
}

function badToken(): InvalidInput {
  return invalidField('page_token', 'must come from a previous answer')
}
