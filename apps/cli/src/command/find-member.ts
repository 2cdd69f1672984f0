import type { components } from '@slipway/client'

import { CliError } from '../errors/cli-error.ts'
import type { Cli } from './cli.ts'

/** A member of an account, as the API returns it. */
export type Member = components['schemas']['Member']

/** A role in an account. */
export type Role = components['schemas']['Role']

/** All roles, for options. */
export const roles = ['member', 'admin', 'owner'] as const satisfies readonly Role[]

/** How users are named in arguments. */
export const USER_BRIEF = 'The id of the user, the e-mail address of a member, or `me`'

/** All members of the account. */
export async function listMembers(cli: Cli): Promise<Member[]> {
  const client = await cli.client()
  const params = { path: { account: await cli.account() } }
  const members: Member[] = []
  const init = { params, signal: cli.signal }
  for await (const member of client.items('/api/v1/accounts/{account}/members', init))
    members.push(member)
  return members
}

/** The member of the account with this id or e-mail address; `me` is the caller. */
export async function findMember(cli: Cli, user: string): Promise<Member | undefined> {
  const members = await listMembers(cli)
  if (user !== 'me') return chosen(members, user)
  const { data } = await (await cli.client()).GET('/api/v1/me', { signal: cli.signal })
  return members.find(({ user_id }) => user_id === data.user.id)
}

/** The same as {@link findMember}, with an error if there is none. */
export async function requireMember(cli: Cli, user: string): Promise<Member> {
  const member = await findMember(cli, user)
  if (member !== undefined) return member
  throw new CliError(`${await cli.account()} has no member "${user}"`, {
    code: 'member_not_found',
    next: 'slipway members list',
  })
}

/** Assigns a role. Adds the user if they are not a member. */
export async function putRole(cli: Cli, userId: string, role: Role): Promise<Member> {
  const client = await cli.client()
  const path = { account: await cli.account(), user_id: userId }
  const init = { params: { path }, body: { role }, signal: cli.signal }
  return (await client.PUT('/api/v1/accounts/{account}/members/{user_id}', init)).data
}

/** A member for people: the name if it is visible, or else the id. */
export function memberName({ user_id, email, first_name, last_name }: Member): string {
  return email ?? ([first_name, last_name].filter(Boolean).join(' ') || user_id)
}

function chosen(members: readonly Member[], user: string): Member | undefined {
  const found = members.filter(({ user_id, email }) => user_id === user || email === user)
  if (found.length <= 1) return found[0]
  throw new CliError(`several members have the address ${user}`, {
    code: 'ambiguous_member',
    why: found.map(({ user_id }) => user_id).join('\n'),
    next: 'use the id',
  })
}
