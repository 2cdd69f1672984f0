import { invalidField, type InvalidInput } from '@slipway/shared/errors'

import { isAccountName } from './account-name.ts'
import { isAgentName } from './check-build.ts'
import { isUserId } from './ids.ts'

/** The last agent of a page; the next page starts after it. */
export interface PagePosition {
  readonly name: string
  readonly account: string
}

/** Encodes a position in a list of agents as an opaque, URL-safe token. */
export function writePageToken({ name, account }: PagePosition): string {
  return encode(`${name}/${account}`)
}

/** Decodes a token of `writePageToken`; undefined if it is empty. Throws InvalidInput otherwise. */
export function readPageToken(token: string): PagePosition | undefined {
  if (token === '') return undefined
  const [name = '', account = '', ...rest] = decode(token).split('/')
  if (isAgentName(name) && isAccountName(account) && rest.length === 0) return { name, account }
  throw invalidToken()
}

/** Encodes the id of the last member of a page as a token. */
export function writeMemberToken(userId: string): string {
  return encode(userId)
}

/** Decodes a token of `writeMemberToken`; undefined if empty. Throws InvalidInput otherwise. */
export function readMemberToken(token: string): string | undefined {
  if (token === '') return undefined
  const userId = decode(token)
  if (isUserId(userId)) return userId
  throw invalidToken()
}

function encode(position: string): string {
  return Buffer.from(position).toString('base64url')
}

function decode(token: string): string {
  return token.length > 256 ? '' : Buffer.from(token, 'base64url').toString()
}

function invalidToken(): InvalidInput {
  return invalidField('page_token', 'must come from a previous answer')
}
