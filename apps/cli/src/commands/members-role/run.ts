import type { Implementation } from '../../command/implementation.ts'
import {
  memberName,
  putRole,
  requireMember,
  type Member,
  type Role,
} from '../../command/find-member.ts'
import { lines } from '../../output/blocks.ts'

export type MembersRole = Member

export const membersRole: Implementation<object, [user: string, role: Role], MembersRole> = {
  async run(cli, _flags, user, role) {
    const { user_id } = await requireMember(cli, user)
    return await putRole(cli, user_id, role)
  },

  view: (member) => [lines(`${memberName(member)} is now ${member.role}`)],
}
