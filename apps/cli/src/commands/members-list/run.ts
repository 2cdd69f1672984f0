import type { components } from '@slipway/client'

import type { Implementation } from '../../command/implementation.ts'
import { listMembers } from '../../command/find-member.ts'
import { table, type Cell } from '../../output/blocks.ts'
import type { Screen } from '../../output/render-terminal.ts'

export type MembersList = components['schemas']['MemberList']

/** Narrower terminals have no room for ids. People know each other by name. */
const ID_COLUMNS = 60

export const membersList: Implementation<object, [], MembersList> = {
  async run(cli) {
    const members = await listMembers(cli)
    return { members, count: members.length }
  },

  view: ({ members }, { printer }) => [
    table({
      columns: [
        { title: 'USER', shrinkTo: 12, fromColumns: ID_COLUMNS },
        { title: 'ROLE' },
        { title: 'NAME', shrinkTo: 8 },
        { title: 'E-MAIL', shrinkTo: 10, fromColumns: 80 },
        { title: 'CONFIRMED' },
      ],
      rows: members.map(({ user_id, role, first_name, last_name, email = '', confirmed }) => [
        user_id,
        role,
        nameCell([first_name, last_name].filter(Boolean).join(' '), user_id, printer.screen),
        email,
        confirmed ? 'yes' : { text: 'no', style: 'warning' },
      ]),
      empty: 'no members',
    }),
  ],
}

/** The name of a member, or the id of those who have not confirmed, and so have none. */
function nameCell(name: string, id: string, { columns }: Screen): Cell {
  return name === '' && columns < ID_COLUMNS ? { text: id, plain: '' } : name
}
