import { define } from '../../command/define.ts'
import { buildFlags } from '../../project/build-options.ts'
import { folderParameter } from '../../project/folder.ts'
import type { BuildResult, ListingFlags } from './run.ts'

export const build = define<ListingFlags, [folder?: string], BuildResult>({
  brief: 'Build the images of an agent, without pushing them',
  description:
    'Builds an image for every `build` in astroai.yml: from its Dockerfile if docker, podman or\n' +
    'buildah works here, else from the Node.js or Python project. Layers are kept for the next\n' +
    'build and for `slipway push`.',
  examples: [
    ['slipway build', 'builds the agent in the current folder'],
    ['slipway build --list', 'also lists the files of its images'],
  ],
  positional: { kind: 'tuple', parameters: [folderParameter] },
  flags: {
    ...buildFlags,
    list: {
      kind: 'boolean',
      default: false,
      withNegated: false,
      brief: 'List the files of images, what is left out with its rule, and sizes of folders',
    },
  },
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).build,
})
