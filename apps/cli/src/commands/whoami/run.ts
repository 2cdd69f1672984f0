import type { components } from '@slipway/client'

import type { Implementation } from '../../command/implementation.ts'
import { fields, table } from '../../output/blocks.ts'
import { ago } from '../../output/times.ts'

type Profile = components['schemas']['Profile']

export const whoami: Implementation<object, [], Profile> = {
  run: async (cli) => (await (await cli.client()).GET('/api/v1/me', {})).data,

  view: ({ user, accounts, machine_token: token }) => [
    token === undefined
      ? fields({ name: fullName(user) || undefined, email: user.email, id: user.id })
      : fields({
          'machine token': token.name,
          // The user of a machine token.
          'created by': user.email ?? (fullName(user) || user.id),
          expires: ago(token.expires_at),
        }),
    table({
      columns: [{ title: 'ACCOUNT', shrinkTo: 12 }, { title: 'TYPE' }, { title: 'ROLE' }],
      rows: accounts.map(({ name, type, role }) => [name, type, role]),
      empty: 'no accounts',
    }),
  ],
}

function fullName({ first_name, last_name }: Profile['user']): string {
  return [first_name, last_name].filter(Boolean).join(' ')
}
