import { readPageToken, toPageToken } from '@slipway/shared/paging'

import { isAccountName } from './account-name.ts'
import { isAgentName } from './check-build.ts'
import { isUserId } from './ids.ts'

/** The last agent of a page; the next page starts after it. */
export interface AgentPosition {
  readonly name: string
  readonly account: string
}

/** Encodes a position in a list of agents. */
export function toAgentToken({ name, account }: AgentPosition): string {
  return toPageToken(`${name}/${account}`)
}

/** Decodes a token of `toAgentToken`; undefined if it is empty. Throws InvalidInput otherwise. */
export function readAgentToken(token: string): AgentPosition | undefined {
  return readPageToken(token, (position) => {
    const [name = '', account = '', ...rest] = position.split('/')
    const isPosition = isAgentName(name) && isAccountName(account) && rest.length === 0
    return isPosition ? { name, account } : undefined
  })
}

/**
 * Decodes a token of a list of members, the id of the last member on a page; undefined if empty.
 */
export function readMemberToken(token: string): string | undefined {
  return readPageToken(token, (userId) => (isUserId(userId) ? userId : undefined))
}
