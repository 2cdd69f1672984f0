import { Type } from 'typebox'

export const schema = Type.Object({
  contexts: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Its name' }),
      url: Type.String({ description: 'The server' }),
      account: Type.Optional(Type.String({ description: 'The account that commands use' })),
      registry: Type.Optional(Type.String({ description: 'Where images are pushed' })),
      is_current: Type.Boolean({ description: 'Whether commands use it' }),
    }),
  ),
})
