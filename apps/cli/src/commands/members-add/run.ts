import type { Implementation } from '../../command/implementation.ts'
import {
  findMember,
  memberName,
  putRole,
  type Member,
  type Role,
} from '../../command/find-member.ts'
import { CliError } from '../../errors/cli-error.ts'
import { hint, lines } from '../../output/blocks.ts'

export interface MembersAddFlags {
  readonly role: Role
}

export type MembersAdd = Member

export const membersAdd: Implementation<MembersAddFlags, [user: string], MembersAdd> = {
  async run(cli, { role }, user) {
    const known = await findMember(cli, user)
    if (known === undefined) return await putRole(cli, user, role)
    if (known.role === role) return known
    // Adding someone again must not take away their role.
    throw new CliError(`${user} is already a member, as ${known.role}`, {
      code: 'already_member',
      next: `slipway members role ${user} ${role}`,
    })
  },

  view: (member) => [
    lines(`${memberName(member)} is a member as ${member.role}`),
    ...(member.confirmed ? [] : [hint('they can confirm it with slipway members confirm')]),
  ],
}
