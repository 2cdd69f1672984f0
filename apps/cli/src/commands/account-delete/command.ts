import { define } from '../../command/define.ts'
import { deletionFlags, type DeletionFlags } from '../../command/deletion.ts'
import { accountName } from '../../command/parameters.ts'
import type { AccountDelete } from './run.ts'

export const accountDelete = define<DeletionFlags, [name: string], AccountDelete>({
  brief: 'Delete a team account with its agents',
  description:
    'Deletes an account that has no other owner than you, and in which nothing is deployed or\n' +
    'published, with its agents, members and traces. Shows them first, and asks.',
  examples: [['slipway account delete acme --dry-run', 'shows what would be deleted']],
  positional: { kind: 'tuple', parameters: [accountName] },
  flags: deletionFlags,
  json: { bodyOf: 'DELETE /accounts/{account}' },
  load: async () => (await import('./run.ts')).accountDelete,
})
