import { define } from '../../command/define.ts'
import { roles } from '../../command/find-member.ts'
import type { MembersAdd, MembersAddFlags } from './run.ts'

export const membersAdd = define<MembersAddFlags, [user: string], MembersAdd>({
  brief: 'Add a user to the account',
  description:
    'USER is the id that `slipway whoami` shows that person. They see the account at once, and\n' +
    'confirm it with `slipway members confirm --account NAME`.',
  examples: [['slipway members add USER --role admin --account acme', 'adds an admin']],
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'user', brief: 'The id of the user' }],
  },
  flags: {
    role: { kind: 'enum', values: roles, default: 'member', brief: 'What they may do' },
  },
  json: { bodyOf: 'PUT /accounts/{account}/members/{user_id}' },
  load: async () => (await import('./run.ts')).membersAdd,
})
