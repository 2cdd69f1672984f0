import { define } from '../../command/define.ts'
import type { TokensList } from './run.ts'

export const tokensList = define<object, [], TokensList>({
  brief: 'List the machine tokens of the account',
  description:
    'Shows who created each token, when it expires and when it was last used, to about a\n' +
    'minute. Those that have expired stay in the list for 30 days.',
  examples: [['slipway tokens list --account acme', 'lists the tokens of another account']],
  json: { bodyOf: 'GET /accounts/{account}/tokens', hasNames: true },
  load: async () => (await import('./run.ts')).tokensList,
})
