import { Type } from 'typebox'

export const schema = Type.Object({
  url: Type.String({ description: 'The address of the page' }),
  opened: Type.Boolean({ description: 'Whether a browser was started' }),
})
