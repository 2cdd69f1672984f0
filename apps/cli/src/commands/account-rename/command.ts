import { define } from '../../command/define.ts'
import { accountName } from '../../command/parameters.ts'
import type { AccountRename } from './run.ts'

export const accountRename = define<object, [name: string, to: string], AccountRename>({
  brief: 'Rename an account',
  description:
    'Deployments and traces go on. The old name stays reserved for 30 days.\n' +
    'If the account is the current one of a context of this machine, the context follows.',
  examples: [['slipway account rename acme acme-labs', 'renames acme']],
  positional: {
    kind: 'tuple',
    parameters: [accountName, { parse: String, placeholder: 'to', brief: 'The new name' }],
  },
  json: { bodyOf: 'PUT /accounts/{account}' },
  load: async () => (await import('./run.ts')).accountRename,
})
