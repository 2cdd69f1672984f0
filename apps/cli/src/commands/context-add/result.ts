import { Type } from 'typebox'

export const schema = Type.Object({
  context: Type.String({ description: 'Its name' }),
  url: Type.String({ description: 'The server' }),
  registry: Type.Optional(Type.String({ description: 'Where images are pushed' })),
})
