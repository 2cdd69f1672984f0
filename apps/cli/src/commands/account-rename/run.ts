import type { components } from '@slipway/client'

import type { Implementation } from '../../command/implementation.ts'
import { replaceAccountInContext } from '../../command/replace-account.ts'
import { lines } from '../../output/blocks.ts'

export type AccountRename = components['schemas']['RenamedAccount']

export const accountRename: Implementation<object, [name: string, to: string], AccountRename> = {
  async run(cli, _flags, account, name) {
    const client = await cli.client()
    const init = { params: { path: { account } }, body: { name }, signal: cli.signal }
    const { data } = await client.PUT('/api/v1/accounts/{account}', init)
    await replaceAccountInContext(cli, account, name)
    return data
  },

  view: ({ name }) => [lines(`the account is now called ${name}`)],
}
