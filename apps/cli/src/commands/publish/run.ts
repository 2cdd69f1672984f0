import type { Static } from 'typebox'

import { agentOf, type AgentReference } from '../../command/agent-reference.ts'
import type { Implementation } from '../../command/implementation.ts'
import { pushedBuild } from '../../deployments/pushed-build.ts'
import { CliError } from '../../errors/cli-error.ts'
import { hint, lines } from '../../output/blocks.ts'
import type { schema } from './result.ts'

export interface PublishFlags {
  readonly build?: string
}

export type Publish = Static<typeof schema>

export const publish: Implementation<
  PublishFlags,
  [version: string, agent?: AgentReference],
  Publish
> = {
  async run(cli, flags, version, given) {
    const path = await agentOf(cli, given)
    const client = await cli.client()
    const request = { params: { path: { ...path } }, signal: cli.signal }
    const { versions } = (await client.GET('/api/v1/agents/{account}/{name}', request)).data
    // The newest build is the first.
    const build_id =
      flags.build ?? (await pushedBuild(cli, process.cwd(), path)) ?? versions[0]?.build_id
    if (build_id === undefined)
      throw new CliError(`${path.account}/${path.name} has no build`, {
        code: 'no_builds',
        next: 'slipway push',
      })
    const before = versions.find((each) => each.build_id === build_id)?.version
    const body = { build_id, version }
    await client.POST('/api/v1/agents/{account}/{name}/publish', { ...request, body })
    return { ...path, version, build_id, is_new: before !== version }
  },

  view: ({ account, name, version, build_id, is_new }) => [
    lines(
      is_new
        ? `published ${account}/${name} ${version} (build ${build_id})`
        : `unchanged: ${account}/${name} ${version} is the build ${build_id}`,
    ),
    hint(`next: slipway deploy ${account}/${name}@${version}`),
  ],
}
