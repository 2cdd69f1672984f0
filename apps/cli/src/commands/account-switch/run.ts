import type { Static } from 'typebox'

import type { Implementation } from '../../command/implementation.ts'
import { CliError } from '../../errors/cli-error.ts'
import { lines } from '../../output/blocks.ts'
import type { schema } from './result.ts'

export type AccountSwitch = Static<typeof schema>

export const accountSwitch: Implementation<object, [name: string], AccountSwitch> = {
  async run(cli, _flags, name) {
    const { context } = await cli.server()
    if (context === undefined)
      throw new CliError('there is no context whose account could be switched', {
        code: 'no_context',
        next: 'use --account NAME or SLIPWAY_ACCOUNT',
      })
    const { accounts } = (await (await cli.client()).GET('/api/v1/me', {})).data
    const names = accounts.map((each) => each.name)
    const wanted = name === '-' ? context.previous_account : name
    if (wanted === undefined)
      throw new CliError('there is no previous account', { code: 'no_previous_account' })
    if (!names.includes(wanted))
      throw new CliError(`you are not a member of an account "${wanted}"`, {
        code: 'unknown_account',
        why: `your accounts are ${names.join(', ')}`,
      })
    const current = context.account ?? (await cli.account())
    const previous = current === wanted ? context.previous_account : current
    const { previous_account: _former, ...kept } = context
    await cli.contexts.put(
      { ...kept, account: wanted, ...(previous !== undefined && { previous_account: previous }) },
      { use: false },
    )
    return { account: wanted }
  },

  view: ({ account }) => [lines(`commands now use the account ${account}`)],
}
