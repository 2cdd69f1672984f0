import type { Static } from 'typebox'

import type { Implementation } from '../../command/implementation.ts'
import { table } from '../../output/blocks.ts'
import type { schema } from './result.ts'

export type ContextList = Static<typeof schema>

export const contextList: Implementation<object, [], ContextList> = {
  async run(cli) {
    const { current, contexts } = await cli.contexts.list()
    return {
      contexts: contexts.map(({ name, url, account, registry }) => ({
        name,
        url,
        ...(account !== undefined && { account }),
        ...(registry !== undefined && { registry }),
        is_current: name === current,
      })),
    }
  },

  view: ({ contexts }) => [
    table({
      columns: [
        { title: '', plain: 'CURRENT' },
        { title: 'NAME', shrinkTo: 8 },
        { title: 'SERVER', shrinkTo: 12 },
        { title: 'ACCOUNT', shrinkTo: 8 },
        { title: 'REGISTRY', shrinkTo: 8, fromColumns: 60 },
      ],
      rows: contexts.map(({ name, url, account = '', registry = '', is_current }) => [
        is_current ? { text: '*', style: 'good' } : '',
        name,
        url,
        account,
        registry,
      ]),
      empty: 'no contexts yet: slipway login URL',
    }),
  ],
}
