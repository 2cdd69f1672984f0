import { Type } from 'typebox'

export const schema = Type.Object({
  accounts: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Its name' }),
      type: Type.String({ description: '`personal` or `team`' }),
      role: Type.String({ description: 'Your role: `owner`, `admin` or `member`' }),
      is_current: Type.Boolean({ description: 'Whether commands use it' }),
    }),
  ),
})
