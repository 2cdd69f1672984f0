import type { components } from '@slipway/client'

import { agentOf, type AgentReference } from '../../command/agent-reference.ts'
import type { Implementation } from '../../command/implementation.ts'
import { deleteAfterAsking, type DeletionFlags } from '../../command/deletion.ts'
import { lines } from '../../output/blocks.ts'

export type AgentsDeleteBuild = components['schemas']['DeletedBuild']

export const agentsDeleteBuild: Implementation<
  DeletionFlags,
  [build: string, agent?: AgentReference],
  AgentsDeleteBuild
> = {
  async run(cli, flags, build, given) {
    const path = { ...(await agentOf(cli, given)), build_id: build }
    const client = await cli.client()
    return await deleteAfterAsking(cli, flags, {
      send: async (dryRun) => {
        const init = { params: { path, query: { dry_run: dryRun } }, signal: cli.signal }
        return (await client.DELETE('/api/v1/agents/{account}/{name}/builds/{build_id}', init)).data
      },
      describe: (result) => [sentence(result)],
      question: `Delete the build ${build} of ${path.account}/${path.name}?`,
    })
  },

  view: (result) => [lines(sentence(result))],
}

function sentence({ account, name, build_id, dry_run }: AgentsDeleteBuild): string {
  const what = `the build ${build_id} of ${account}/${name}`
  return dry_run ? `this would delete ${what}` : `deleted ${what}`
}
