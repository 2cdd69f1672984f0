import { define } from '../../command/define.ts'
import { roles, USER_BRIEF, type Role } from '../../command/find-member.ts'
import type { MembersRole } from './run.ts'

export const membersRole = define<object, [user: string, role: Role], MembersRole>({
  brief: 'Change the role of a member',
  description:
    'A member sees and deploys the agents of the account. An admin also registers, publishes\n' +
    'and deletes them, and manages members who are not owners. An owner also manages owners. An\n' +
    'account always has at least one owner.',
  examples: [['slipway members role bob@example.com admin', 'makes a member an admin']],
  positional: {
    kind: 'tuple',
    parameters: [
      { parse: String, placeholder: 'user', brief: USER_BRIEF },
      {
        parse: parseRole,
        placeholder: 'role',
        brief: roles.join(', '),
        proposeCompletions: (partial) => roles.filter((role) => role.startsWith(partial)),
      },
    ],
  },
  json: { bodyOf: 'PUT /accounts/{account}/members/{user_id}' },
  load: async () => (await import('./run.ts')).membersRole,
})

function parseRole(text: string): Role {
  const role = roles.find((each) => each === text)
  if (role === undefined) throw new Error(`"${text}" is not a role; use ${roles.join(', ')}`)
  return role
}
