import { buildAgent } from '@slipway/agent-image'
import type { Static } from 'typebox'

import type { Implementation } from '../../command/implementation.ts'
import { hint, lines } from '../../output/blocks.ts'
import { buildOptions, type BuildFlags } from '../../project/build-options.ts'
import { explainedBuild } from '../../project/explained-build.ts'
import { agentFolder } from '../../project/folder.ts'
import { imageResults, imageTable } from '../../project/image-results.ts'
import { contentsOf, contentsTables } from './contents.ts'
import type { schema } from './result.ts'

const NOT_BUILT = 'the agent was not built'

/** The options of `slipway build`. */
export interface ListingFlags extends BuildFlags {
  readonly list: boolean
}

export type BuildResult = Static<typeof schema>

export const build: Implementation<ListingFlags, [folder?: string], BuildResult> = {
  async run(cli, flags, given) {
    const folder = agentFolder(given)
    const options = await buildOptions(cli, folder, flags)
    const built = await explainedBuild(() => buildAgent(folder, options), NOT_BUILT)
    const { name, buildId, images } = built
    const result = { name, build_id: buildId, images: imageResults(images) }
    return flags.list ? { ...result, contents: await contentsOf(images) } : result
  },

  view: ({ name, build_id, images, contents = [] }) => [
    lines(`${name}: build ${build_id}`),
    imageTable(images),
    ...contents.flatMap(contentsTables),
    hint('next: slipway push'),
  ],
}
