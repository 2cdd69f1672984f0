import { Type } from 'typebox'

import { imageSchema } from '../../project/image-schema.ts'

export const schema = Type.Object({
  name: Type.String({ description: 'The name of the agent' }),
  build_id: Type.String({ description: 'A hash of the images and the spec' }),
  images: Type.Array(imageSchema, { description: 'One for each program' }),
})
