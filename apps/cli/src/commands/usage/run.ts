import type { components } from '@slipway/client'
import { amount } from '@slipway/words/amounts'

import type { Implementation } from '../../command/implementation.ts'
import { hint, table } from '../../output/blocks.ts'
import { bar } from './bar.ts'

export type UsageOfAccount = components['schemas']['Usage']

const BAR_COLUMNS = 20
/** Narrower terminals have no bars, so that the names of the limits are whole. */
const LEAST_COLUMNS_WITH_BAR = 72

export const usage: Implementation<object, [], UsageOfAccount> = {
  async run(cli) {
    const client = await cli.client()
    const init = { params: { path: { account: await cli.account() } }, signal: cli.signal }
    return (await client.GET('/api/v1/accounts/{account}/usage', init)).data
  },

  view: ({ limits, unavailable }, { printer }) => [
    table({
      columns: [
        { title: 'LIMIT', shrinkTo: 10 },
        { title: 'USED', align: 'right' },
        { title: 'OF', align: 'right' },
        { title: '', plain: 'SHARE', align: 'right' },
      ],
      rows: limits.map(({ name, description, used, limit, unit }) => [
        { text: description, plain: name },
        { text: amount(used, unit), plain: `${used}` },
        { text: amount(limit, unit), plain: `${limit}` },
        bar(used, limit, printer.screen.columns < LEAST_COLUMNS_WITH_BAR ? 0 : BAR_COLUMNS),
      ]),
      empty: 'the account has no limits',
    }),
    ...(unavailable.length > 0
      ? [hint(`missing, because a service is not available: ${unavailable.join(', ')}`)]
      : []),
  ],
}
