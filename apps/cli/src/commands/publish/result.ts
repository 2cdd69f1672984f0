import { Type } from 'typebox'

export const schema = Type.Object({
  account: Type.String({ description: 'The account that owns the agent' }),
  name: Type.String({ description: 'The agent' }),
  version: Type.String({ description: 'The version' }),
  build_id: Type.String({ description: 'The build that it means' }),
  is_new: Type.Boolean({ description: 'Whether the build did not have the version before' }),
})
