import type { Implementation } from '../../command/implementation.ts'
import { putRole, requireMember, type Member } from '../../command/find-member.ts'
import { lines } from '../../output/blocks.ts'

export type MembersConfirm = Member

export const membersConfirm: Implementation<object, [], MembersConfirm> = {
  async run(cli) {
    const { user_id, role } = await requireMember(cli, 'me')
    // Assigning their own role to themselves is how a member confirms.
    return await putRole(cli, user_id, role)
  },

  view: ({ role }) => [lines(`confirmed: you are ${role}`)],
}
