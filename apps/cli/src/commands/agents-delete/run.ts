import type { components } from '@slipway/client'

import { agentOf, type AgentReference } from '../../command/agent-reference.ts'
import type { Implementation } from '../../command/implementation.ts'
import { deleteAfterAsking, type DeletionFlags } from '../../command/deletion.ts'
import { lines } from '../../output/blocks.ts'

export type AgentsDelete = components['schemas']['DeletedAgent']

export const agentsDelete: Implementation<DeletionFlags, [agent: AgentReference], AgentsDelete> = {
  async run(cli, flags, given) {
    const path = await agentOf(cli, given)
    const client = await cli.client()
    return await deleteAfterAsking(cli, flags, {
      send: async (dryRun) => {
        const params = { path: { ...path }, query: { dry_run: dryRun } }
        const init = { params, signal: cli.signal }
        return (await client.DELETE('/api/v1/agents/{account}/{name}', init)).data
      },
      describe: contentOf,
      question: `Delete ${path.account}/${path.name}?`,
    })
  },

  view: (result) => [
    lines(
      ...(result.dry_run
        ? contentOf(result)
        : [`deleted ${result.account}/${result.name} and ${builds(result)}`]),
    ),
  ],
}

function contentOf(result: AgentsDelete): string[] {
  return [
    `this would delete ${result.account}/${result.name} with ${builds(result)},`,
    'its traces and the history of its deployments',
  ]
}

function builds({ deleted: { build_count, builds: ids } }: AgentsDelete): string {
  const shown = ids.slice(0, 5).join(', ')
  const rest = build_count > 5 ? ', …' : ''
  return `${build_count} ${build_count === 1 ? 'build' : 'builds'} (${shown}${rest})`
}
