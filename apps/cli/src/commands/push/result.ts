import { Type } from 'typebox'

import { imageSchema } from '../../project/image-schema.ts'

export const schema = Type.Object({
  account: Type.String({ description: 'The account that owns the agent' }),
  name: Type.String({ description: 'The name of the agent' }),
  build_id: Type.String({ description: 'The registered build' }),
  images: Type.Array(imageSchema, { description: 'The pushed images' }),
  attestations: Type.Optional(
    Type.Array(
      Type.Object({
        reference: Type.String({ description: 'The image' }),
        kind: Type.Enum(['sbom', 'provenance'], { description: 'What it says' }),
        subject: Type.String({ description: 'The digest of the manifest that it is about' }),
        digest: Type.String({ description: 'The digest of the manifest of the document' }),
      }),
      { description: 'What was attached to the images, as referrers' },
    ),
  ),
  validation_warnings: Type.Array(
    Type.Object({
      field: Type.String({ description: 'The path in the spec' }),
      message: Type.String({ description: 'What is wrong with it' }),
    }),
    { description: 'What is wrong in the spec' },
  ),
  warnings: Type.Array(Type.String(), { description: 'What else to know about the build' }),
})
