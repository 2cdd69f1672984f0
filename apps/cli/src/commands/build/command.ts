import { define } from '../../command/define.ts'
import { buildFlags, type BuildFlags } from '../../project/build-options.ts'
import { folderParameter } from '../../project/folder.ts'
import type { BuildResult } from './run.ts'

export const build = define<BuildFlags, [folder?: string], BuildResult>({
  brief: 'Build the images of an agent, without pushing them',
  description:
    'Builds an image for every `build` in astroai.yml: from its Dockerfile if docker, podman or\n' +
    'buildah works here, else from the Node.js or Python project. Layers are kept for the next\n' +
    'build and for `slipway push`.',
  examples: [['slipway build', 'builds the agent in the current folder']],
  positional: { kind: 'tuple', parameters: [folderParameter] },
  flags: buildFlags,
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).build,
})
