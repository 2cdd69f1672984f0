import { yesFlag } from '../../command/consent.ts'
import { define } from '../../command/define.ts'
import type { TokensRevoke, TokensRevokeFlags } from './run.ts'

export const tokensRevoke = define<TokensRevokeFlags, [token: string], TokensRevoke>({
  brief: 'Revoke a machine token',
  description: 'Requests with it are rejected from then on, within 5 seconds at most.',
  examples: [
    ['slipway tokens revoke ci', 'asks, and revokes it'],
    ['slipway tokens revoke ci --yes', 'revokes it without a question'],
  ],
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'token', brief: 'The name or id of the token' }],
  },
  flags: { yes: yesFlag },
  json: { bodyOf: 'DELETE /accounts/{account}/tokens/{token_id}' },
  load: async () => (await import('./run.ts')).tokensRevoke,
})
