import { Type } from 'typebox'

export const schema = Type.Object({
  context: Type.String({ description: 'The context whose tokens were removed' }),
  was_signed_in: Type.Boolean({ description: 'Whether there were tokens' }),
  revoked: Type.Boolean({ description: 'Whether the provider has revoked the refresh token' }),
})
