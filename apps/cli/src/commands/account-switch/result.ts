import { Type } from 'typebox'

export const schema = Type.Object({
  account: Type.String({ description: 'The name of the current account' }),
})
