import { Type } from 'typebox'

import { AnyText, Text } from '../../http/schemas.ts'

export const RoleName = Type.Union([
  Type.Literal('owner'),
  Type.Literal('admin'),
  Type.Literal('member'),
])

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
      { description: 'Sorted by name' },
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
  },
  { title: 'Member' },
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
