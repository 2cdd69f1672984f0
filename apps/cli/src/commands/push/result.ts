import { Type } from 'typebox'

import { imageSchema } from '../../project/image-schema.ts'

export const schema = Type.Object({
  account: Type.String({ description: 'The account that owns the agent' }),
  name: Type.String({ description: 'The name of the agent' }),
  build_id: Type.String({ description: 'The registered build' }),
  images: Type.Array(imageSchema, { description: 'The pushed images' }),
  validation_warnings: Type.Array(
    Type.Object({
      field: Type.String({ description: 'The path in the spec' }),
      message: Type.String({ description: 'What is wrong with it' }),
    }),
    { description: 'What is wrong in the spec' },
  ),
  warnings: Type.Array(Type.String(), { description: 'What else to know about the build' }),
})
