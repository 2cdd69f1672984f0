import { Type } from 'typebox'

export const schema = Type.Object({
  context: Type.String({ description: 'The context that was removed' }),
})
