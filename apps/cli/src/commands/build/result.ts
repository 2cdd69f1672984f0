import { Type } from 'typebox'

import { imageSchema } from '../../project/image-schema.ts'

const sizeOf = { size_bytes: Type.Integer({ description: 'Before compression' }) }

const contentsSchema = Type.Object({
  targets: Type.Array(Type.String(), { description: 'The programs whose images have these files' }),
  platform: Type.Optional(
    Type.String({ description: 'What the images run on, such as linux/amd64' }),
  ),
  files: Type.Array(
    Type.Object({
      path: Type.String({ description: 'The absolute path in the image' }),
      ...sizeOf,
      layer: Type.String({ description: '`dependencies`, `own packages` or `application`' }),
      reason: Type.String({ description: 'What has put it there' }),
    }),
    { description: 'Files and links in the layers above the base' },
  ),
  left_out: Type.Array(
    Type.Object({
      path: Type.String({ description: 'The path in the folder of the agent' }),
      rule: Type.Integer({
        description:
          'The number of the rule: 1 secrets and history, 2 npm pack, 3 installed packages and ' +
          'caches, 4 git, 5 .dockerignore',
      }),
      reason: Type.String({ description: 'What the rule says' }),
    }),
    { description: 'Files and folders that the image does not have' },
  ),
  folders: Type.Array(
    Type.Object({ path: Type.String({ description: 'A folder, or a package' }), ...sizeOf }),
    { description: 'The sizes of folders, the largest first' },
  ),
})

export const schema = Type.Object({
  name: Type.String({ description: 'The name of the agent' }),
  build_id: Type.String({ description: 'A hash of the images and the spec' }),
  images: Type.Array(imageSchema, { description: 'One for each program' }),
  contents: Type.Optional(
    Type.Array(contentsSchema, { description: 'The files of images, with `--list`' }),
  ),
})
