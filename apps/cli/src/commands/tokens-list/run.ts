import type { components } from '@slipway/client'

import type { Implementation } from '../../command/implementation.ts'
import { listTokens } from '../../command/find-token.ts'
import { namesOfMembers } from '../../deployments/people.ts'
import { withNames } from '../../deployments/with-names.ts'
import { table, type Text } from '../../output/blocks.ts'
import { ago } from '../../output/times.ts'

export type TokensList = components['schemas']['MachineTokenList']

/** From when on people should think of the next token. */
const SOON_MS = 14 * 24 * 3_600_000

/** Names of the people, which the body of the API doesn't have. */
const names = new WeakMap<TokensList, ReadonlyMap<string, string>>()

export const tokensList: Implementation<object, [], TokensList> = {
  async run(cli) {
    const list = await listTokens(cli)
    names.set(list, await namesOfMembers(cli, await cli.account()))
    return list
  },

  view: (list) => [
    table({
      columns: [
        { title: 'NAME', shrinkTo: 8 },
        { title: 'ROLE' },
        { title: 'CREATED BY', shrinkTo: 8, fromColumns: 60 },
        { title: 'CREATED', fromColumns: 80 },
        { title: 'EXPIRES' },
        { title: 'LAST USED', fromColumns: 50 },
      ],
      rows: list.tokens.map(({ name, role, created_by, created_at, expires_at, last_used_at }) => [
        name,
        role,
        { text: names.get(list)?.get(created_by) ?? created_by, plain: created_by },
        ago(created_at),
        expiry(expires_at),
        last_used_at === undefined
          ? { text: 'never', style: 'faint', plain: '' }
          : ago(last_used_at),
      ]),
      empty: 'no tokens',
    }),
  ],

  json: (list) => withNames(list, names.get(list)),
}

/** When a token ends; marked if that is soon, or in the past. */
export function expiry(time: string, now = Date.now()): Text {
  const left = Date.parse(time) - now
  const { text, plain } = ago(time, now)
  if (left <= 0) return { text: `expired ${text}`, style: 'bad', plain }
  return { text, plain, style: left < SOON_MS ? 'warning' : undefined }
}
