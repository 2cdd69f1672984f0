import { Type } from 'typebox'

const place = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }))

export const schema = Type.Object({
  file: Type.String({ description: 'The path of the spec' }),
  is_valid: Type.Boolean({ description: 'Whether there are no errors' }),
  problems: Type.Array(
    Type.Object({
      severity: Type.Enum(['error', 'warning'], { description: 'Errors prevent a registration' }),
      field: Type.String({ description: 'The path in the spec; empty for the whole file' }),
      message: Type.String({ description: 'What is wrong' }),
      line: place('The line'),
      column: place('The column'),
    }),
    { description: 'In the order of the file' },
  ),
  server: Type.Optional(
    Type.Object(
      {
        valid: Type.Boolean({ description: 'Whether a deploy would be accepted' }),
        problems: Type.Array(Type.String(), { description: 'Why not' }),
        warnings: Type.Array(Type.String(), { description: 'What else to know' }),
      },
      { description: 'What the server says of a deploy of the newest registered build' },
    ),
  ),
})
