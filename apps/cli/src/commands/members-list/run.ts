import type { components } from '@slipway/client'

import type { Implementation } from '../../command/define.ts'
import { listMembers } from '../../command/find-member.ts'
import { table } from '../../output/blocks.ts'

export type MembersList = components['schemas']['MemberList']

export const membersList: Implementation<object, [], MembersList> = {
  async run(cli) {
    const members = await listMembers(cli)
    return { members, count: members.length }
  },

  view: ({ members }) => [
    table({
      columns: [
        { title: 'USER', shrinkTo: 12 },
        { title: 'ROLE' },
        { title: 'NAME', shrinkTo: 8, fromColumns: 60 },
        { title: 'E-MAIL', shrinkTo: 10, fromColumns: 80 },
        { title: 'CONFIRMED' },
      ],
      rows: members.map(({ user_id, role, first_name, last_name, email = '', confirmed }) => [
        user_id,
        role,
        [first_name, last_name].filter(Boolean).join(' '),
        email,
        confirmed ? 'yes' : { text: 'no', style: 'warning' },
      ]),
      empty: 'no members',
    }),
  ],
}
