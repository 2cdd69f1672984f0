import { Type } from 'typebox'

export const schema = Type.Object({
  context: Type.String({ description: 'The name of the context, which is the current one now' }),
  url: Type.String({ description: 'The server' }),
  accounts: Type.Array(Type.String(), { description: 'The names of your accounts' }),
  stored_in: Type.Enum(['keyring', 'file'], { description: 'Where the tokens are' }),
})
