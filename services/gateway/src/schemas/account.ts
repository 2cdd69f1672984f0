import { Type } from 'typebox'

import { AnyText } from './common.ts'

export const Profile = Type.Object(
  {
    user: Type.Object({
      id: AnyText('Opaque, never changes'),
      email: Type.Optional(Type.String()),
      first_name: Type.Optional(Type.String()),
      last_name: Type.Optional(Type.String()),
    }),
    accounts: Type.Array(
      Type.Object({
        id: AnyText('Opaque, never changes'),
        name: AnyText('Account slug'),
        type: Type.Union([Type.Literal('personal'), Type.Literal('team')]),
        role: Type.Union([Type.Literal('owner'), Type.Literal('admin'), Type.Literal('member')]),
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
