import { define } from '../../command/define.ts'
import { wholeDays } from '../../command/values/time.ts'
import { MAX_DAYS, tokenRoles } from '../../command/find-token.ts'
import type { TokensCreate, TokensCreateFlags } from './run.ts'

export const tokensCreate = define<TokensCreateFlags, [name: string], TokensCreate>({
  brief: 'Create a machine token of the account, for example for CI',
  description:
    'Owners and admins of the account create tokens. The secret is shown only now: store it.\n' +
    'In a pipe, it is all that is printed.',
  examples: [
    ['slipway tokens create ci --role admin --expires 90d', 'shows the token'],
    ['slipway tokens create ci | gh secret set SLIPWAY_TOKEN', 'stores it without showing it'],
  ],
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'name', brief: 'What the token is for' }],
  },
  flags: {
    role: { kind: 'enum', values: tokenRoles, default: 'member', brief: 'What it may do' },
    expires: {
      kind: 'parsed',
      parse: wholeDays(MAX_DAYS),
      default: '90d',
      placeholder: 'duration',
      brief: 'After how many days it ends, up to 365d',
    },
  },
  json: { bodyOf: 'POST /accounts/{account}/tokens' },
  load: async () => (await import('./run.ts')).tokensCreate,
})
