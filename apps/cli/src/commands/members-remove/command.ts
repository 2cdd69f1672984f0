import { define } from '../../command/define.ts'
import { yesFlag } from '../../command/consent.ts'
import { USER_BRIEF } from '../../command/find-member.ts'
import type { MembersRemove, MembersRemoveFlags } from './run.ts'

export const membersRemove = define<MembersRemoveFlags, [user: string], MembersRemove>({
  brief: 'Remove a member from the account, or leave it',
  examples: [
    ['slipway members remove bob@example.com', 'removes a member'],
    ['slipway members remove me --account acme', 'leaves an account'],
  ],
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'user', brief: USER_BRIEF }],
  },
  flags: { yes: yesFlag },
  json: { bodyOf: 'DELETE /accounts/{account}/members/{user_id}' },
  load: async () => (await import('./run.ts')).membersRemove,
})
