import { Type, type Static } from 'typebox'

/** An image in the JSON of `build` and `push`. */
export const imageSchema = Type.Object({
  target: Type.String({ description: 'The program that it starts, or the stage of a Dockerfile' }),
  reference: Type.String({ description: 'Its name with the tag' }),
  digest: Type.String({
    description: 'The digest of its manifest, or of its index for several platforms',
  }),
  platforms: Type.Optional(
    Type.Array(Type.String(), { description: 'What it runs on, such as linux/amd64' }),
  ),
  size_bytes: Type.Integer({ description: 'The compressed size of all layers' }),
  base: Type.Optional(
    Type.String({
      description: 'What a project was built on: an image with its digest, or packages',
    }),
  ),
  built_from: Type.Enum(['dockerfile', 'project'], { description: 'What it was built from' }),
})

export type ImageResult = Static<typeof imageSchema>
