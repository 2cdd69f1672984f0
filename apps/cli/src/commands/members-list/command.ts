import { define } from '../../command/define.ts'
import type { MembersList } from './run.ts'

export const membersList = define<object, [], MembersList>({
  brief: 'List the members of the account',
  description:
    'A member who was added and has not confirmed is shown by id only, until they run\n' +
    '`slipway members confirm`.',
  examples: [['slipway members list --account acme', 'lists the members of another account']],
  json: { bodyOf: 'GET /accounts/{account}/members' },
  load: async () => (await import('./run.ts')).membersList,
})
