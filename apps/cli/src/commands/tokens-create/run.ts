import type { components } from '@slipway/client'

import type { Implementation } from '../../command/implementation.ts'
import type { TokenRole } from '../../command/find-token.ts'
import { fields, hint, lines } from '../../output/blocks.ts'
import { ago } from '../../output/times.ts'

export interface TokensCreateFlags {
  readonly role: TokenRole
  readonly expires: number
}

export type TokensCreate = components['schemas']['CreatedMachineToken']

export const tokensCreate: Implementation<TokensCreateFlags, [name: string], TokensCreate> = {
  async run(cli, { role, expires }, name) {
    const client = await cli.client()
    const params = { path: { account: await cli.account() } }
    const body = { name, role, expires_in_days: expires }
    const init = { params, body, signal: cli.signal }
    return (await client.POST('/api/v1/accounts/{account}/tokens', init)).data
  },

  view({ name, role, expires_at, token }, { printer }) {
    // A pipe gets the secret alone, for the program that stores it.
    if (!printer.isTerminal) return [lines(token)]
    return [
      fields({ name, role, expires: ago(expires_at) }),
      lines({ text: token, style: 'strong' }),
      hint('store it now, for example as SLIPWAY_TOKEN in the secrets of your CI'),
      hint('it is not shown again'),
    ]
  },
}
