import { define } from '../../command/define.ts'
import { buildFlags } from '../../project/build-options.ts'
import { folderParameter } from '../../project/folder.ts'
import type { PushFlags, PushResult } from './run.ts'

export const push = define<PushFlags, [folder?: string], PushResult>({
  brief: 'Build an agent, push its images, and register the build',
  description:
    'Builds the images as `slipway build` does, and pushes what the registry lacks, with the\n' +
    'logins of docker or podman. Then registers the build with the digests of the images.\n' +
    'Members of the account can deploy it at once; `slipway publish` shows it to others.',
  examples: [
    ['slipway push', 'the agent in the current folder'],
    ['slipway push --registry ghcr.io/acme --account acme', 'to another registry and account'],
  ],
  positional: { kind: 'tuple', parameters: [folderParameter] },
  flags: {
    ...buildFlags,
    attest: {
      kind: 'boolean',
      default: true,
      brief: 'Attach the SBOM and the provenance to the images in the registry',
    },
  },
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).push,
})
