import type { components } from '@slipway/client'

import { agentOf, type AgentReference } from '../../command/agent-reference.ts'
import type { Implementation } from '../../command/implementation.ts'
import { lines } from '../../output/blocks.ts'

export type Yank = components['schemas']['YankedVersion']

export const yank: Implementation<object, [version: string, agent?: AgentReference], Yank> = {
  async run(cli, _flags, version, given) {
    const path = { ...(await agentOf(cli, given)), version }
    const client = await cli.client()
    const init = { params: { path }, signal: cli.signal }
    return (await client.POST('/api/v1/agents/{account}/{name}/versions/{version}/yank', init)).data
  },

  view: ({ account, name, version, build_id }) => [
    lines(`yanked ${account}/${name} ${version} (build ${build_id})`),
  ],
}
