import { Type } from 'typebox'

export const schema = Type.Object({
  context: Type.String({ description: 'Its name' }),
  url: Type.String({ description: 'The server' }),
  registry: Type.Optional(Type.String({ description: 'Where images are pushed' })),
  base: Type.Optional(Type.String({ description: 'The base of images that are built' })),
})
