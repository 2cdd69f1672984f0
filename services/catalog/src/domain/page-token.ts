import { InvalidInput } from '@slipway/shared/errors'

import { isAccountName } from './account-name.ts'
import { isAgentName } from './build-fields.ts'

/** The last agent of a page: the next page starts after it. */
export interface PagePosition {
  readonly name: string
  readonly account: string
}

/** Writes a position as an opaque token that fits into a URL. */
export function writePageToken({ name, account }: PagePosition): string {
  return Buffer.from(`${name}/${account}`).toString('base64url')
}

/** Reads a token of `writePageToken`; undefined for the empty one. Throws InvalidInput for anything else. */
export function readPageToken(token: string): PagePosition | undefined {
  if (token === '') return undefined
  const text = token.length > 256 ? '' : Buffer.from(token, 'base64url').toString()
  const [name = '', account = '', ...rest] = text.split('/')
  if (isAgentName(name) && isAccountName(account) && rest.length === 0) return { name, account }
  const description = 'must come from a previous answer'
  throw new InvalidInput('invalid_argument', `page_token ${description}`, {
    violations: [{ field: 'page_token', description }],
  })
}
