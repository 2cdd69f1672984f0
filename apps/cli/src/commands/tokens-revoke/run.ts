import type { components } from '@slipway/client'

import { consent, requireConsent, type ConsentFlags } from '../../command/consent.ts'
import type { Implementation } from '../../command/implementation.ts'
import { requireToken } from '../../command/find-token.ts'
import { lines } from '../../output/blocks.ts'

export type TokensRevokeFlags = ConsentFlags

export type TokensRevoke = components['schemas']['RevokedMachineToken']

export const tokensRevoke: Implementation<TokensRevokeFlags, [token: string], TokensRevoke> = {
  async run(cli, flags, given) {
    requireConsent(cli, flags)
    const account = await cli.account()
    const { id, name, role } = await requireToken(cli, given)
    if (!flags.yes) await consent(cli, `Revoke ${name} (${role} of ${account})?`)
    const client = await cli.client()
    const init = { params: { path: { account, token_id: id } }, signal: cli.signal }
    return (await client.DELETE('/api/v1/accounts/{account}/tokens/{token_id}', init)).data
  },

  view: ({ message }) => [lines(message)],
}
