import type { Schemas } from '@slipway/client'

import { agentOf, type AgentReference } from '../../command/agent-reference.ts'
import type { Implementation } from '../../command/define.ts'
import { revisionsView } from '../../deployments/revisions-view.ts'
import { readRevisions } from '../../deployments/read-revisions.ts'
import { namesOfMembers } from '../../deployments/people.ts'

export interface HistoryFlags {
  readonly limit: number
}

type RevisionList = Schemas['RevisionList']

/** Names of the people, which only the view has: the result is the body of the API. */
const names = new WeakMap<RevisionList, ReadonlyMap<string, string>>()

export const history: Implementation<HistoryFlags, [agent?: AgentReference], RevisionList> = {
  async run(cli, { limit }, given) {
    const agent = await agentOf(cli, given)
    const list = await readRevisions(cli, agent, limit)
    if (cli.printer.format === 'text') names.set(list, await namesOfMembers(cli, agent.account))
    return list
  },

  view: (list) => [revisionsView(list.revisions, names.get(list))],
}
