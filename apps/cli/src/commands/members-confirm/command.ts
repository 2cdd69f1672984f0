import { define } from '../../command/define.ts'
import type { MembersConfirm } from './run.ts'

export const membersConfirm = define<object, [], MembersConfirm>({
  brief: 'Confirm that you are a member of the account',
  description:
    'After someone has added you to an account, its other members see your name and e-mail\n' +
    'address only when you have confirmed it.',
  examples: [['slipway members confirm --account acme', 'confirms that you are in acme']],
  json: { bodyOf: 'PUT /accounts/{account}/members/{user_id}' },
  load: async () => (await import('./run.ts')).membersConfirm,
})
