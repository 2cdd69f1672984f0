import type { Static } from 'typebox'

import type { Implementation } from '../../command/implementation.ts'
import { CliError } from '../../errors/cli-error.ts'
import { lines } from '../../output/blocks.ts'
import type { schema } from './result.ts'

export type LogoutResult = Static<typeof schema>

export const logout: Implementation<object, [], LogoutResult> = {
  async run(cli) {
    const { context } = await cli.server()
    if (context === undefined)
      throw new CliError('there is no context to sign out of', {
        code: 'no_context',
        why: 'SLIPWAY_URL names the server',
        next: 'unset SLIPWAY_URL, or use --context NAME',
      })
    const tokens = await cli.tokens.get(context.name)
    const { revoke } = await import('../../auth/provider.ts')
    const revoked = tokens !== undefined && (await revoke(tokens))
    await cli.tokens.delete(context.name)
    return { context: context.name, was_signed_in: tokens !== undefined, revoked }
  },

  view: ({ context, was_signed_in }) => [
    lines(was_signed_in ? `signed out of ${context}` : `you were not signed in to ${context}`),
  ],
}
