import { Type } from 'typebox'

export const schema = Type.Object({
  context: Type.String({ description: 'The name of the current context' }),
})
