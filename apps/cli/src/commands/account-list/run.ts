import type { Static } from 'typebox'

import type { Implementation } from '../../command/implementation.ts'
import { table } from '../../output/blocks.ts'
import type { schema } from './result.ts'

export type AccountList = Static<typeof schema>

export const accountList: Implementation<object, [], AccountList> = {
  async run(cli) {
    const { accounts } = (await (await cli.client()).GET('/api/v1/me', {})).data
    const current = await cli.account()
    return {
      accounts: accounts.map(({ name, type, role }) => ({
        name,
        type,
        role,
        is_current: name === current,
      })),
    }
  },

  view: ({ accounts }) => [
    table({
      columns: [
        { title: '', plain: 'CURRENT' },
        { title: 'NAME', shrinkTo: 12 },
        { title: 'TYPE' },
        { title: 'ROLE' },
      ],
      rows: accounts.map(({ name, type, role, is_current }) => [
        is_current ? { text: '*', style: 'good' } : '',
        name,
        type,
        role,
      ]),
      empty: 'no accounts',
    }),
  ],
}
