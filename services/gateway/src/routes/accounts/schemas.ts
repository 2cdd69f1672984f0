import { Type } from 'typebox'

import { AnyText, Text } from '../../http/schemas.ts'

export const RoleName = Type.Union([
  Type.Literal('owner'),
  Type.Literal('admin'),
  Type.Literal('member'),
])

const Confirmed = Type.Boolean({
  description:
    'Whether the user created the account, or has confirmed that another user added them. To ' +
    'confirm, assign the current role to yourself with putMember',
})

export const Profile = Type.Object(
  {
    user: Type.Object({
      id: AnyText('Opaque and permanent'),
      email: Type.Optional(Type.String()),
      first_name: Type.Optional(Type.String()),
      last_name: Type.Optional(Type.String()),
    }),
    accounts: Type.Array(
      Type.Object({
        id: AnyText('Opaque and permanent'),
        name: AnyText('Account slug'),
        type: Type.Union([Type.Literal('personal'), Type.Literal('team')]),
        role: RoleName,
        confirmed: Confirmed,
        agents: Type.Optional(
          Type.Array(
            Type.Object({
              name: Type.String(),
              registry: Type.String(),
              build_count: Type.Integer(),
              published_version_count: Type.Integer(),
            }),
          ),
        ),
      }),
      {
        description:
          'At most 1000, sorted by name. Accounts that the user created have precedence, then ' +
          'those that they have been in for longest',
      },
    ),
    has_more_accounts: Type.Optional(
      Type.Boolean({ description: 'True if the user is a member of more accounts' }),
    ),
  },
  { title: 'Profile', description: 'The calling user and their accounts' },
)

export const NameBody = Type.Object({
  name: Text('Account slug: 2-39 lower-case letters, digits and single hyphens'),
})

export const Renamed = Type.Object({ message: Type.String(), name: Type.String() })

export const CreatedAccount = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: Type.Literal('team'),
    role: Type.Literal('owner'),
  },
  { description: 'The account was created; the caller owns it' },
)

export const DeletedAccount = Type.Object({
  message: Type.String(),
  account: Type.String(),
  dry_run: Type.Boolean({ description: 'Whether nothing was deleted' }),
  deleted: Type.Object({
    agents: Type.Array(Type.String(), { description: 'The first 1000 agents, sorted by name' }),
    agent_count: Type.Integer({ description: 'Number of agents' }),
    build_count: Type.Integer({ description: 'Number of their builds' }),
    member_count: Type.Integer({ description: 'Number of members' }),
  }),
})

export const MemberPath = Type.Object({
  account: Text('Account slug'),
  user_id: Text('Id of the user'),
})

export const RoleBody = Type.Object({ role: RoleName })

export const Member = Type.Object(
  {
    user_id: Type.String(),
    email: Type.Optional(Type.String()),
    first_name: Type.Optional(Type.String()),
    last_name: Type.Optional(Type.String()),
    role: RoleName,
    confirmed: Confirmed,
  },
  {
    title: 'Member',
    description:
      'Names and e-mail addresses of members who have not confirmed are visible only to themselves',
  },
)

export const MemberList = Type.Object(
  {
    members: Type.Array(Member, { description: 'Sorted by user id' }),
    count: Type.Integer({ description: 'Number of members in the response' }),
    next_cursor: Type.Optional(AnyText('Cursor of the next page; absent on the last page')),
  },
  { title: 'MemberList' },
)

export const MembersQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 1000,
    description: 'Maximum number of members in the response',
  }),
  cursor: Type.Optional(Text('next_cursor of the previous page')),
})

export const Usage = Type.Object(
  {
    account: Type.String(),
    limits: Type.Array(
      Type.Object({
        name: AnyText('Name of the limit, as in errors with the code quota_exceeded'),
        used: Type.Integer({
          description: 'May exceed the limit, if the operator has lowered it',
        }),
        limit: Type.Integer(),
        unit: Type.Union([
          Type.Literal('count'),
          Type.Literal('bytes'),
          Type.Literal('millicores'),
        ]),
        description: AnyText('What is counted'),
      }),
      { description: 'In a fixed order' },
    ),
    unavailable: Type.Array(Type.String(), {
      description: 'Names of limits that are missing because a service is unavailable',
    }),
  },
  { title: 'Usage', description: 'The limits of an account, and how much of them is used' },
)
