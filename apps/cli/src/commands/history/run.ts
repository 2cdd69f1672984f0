import type { Schemas } from '@slipway/client'

import { agentOf, type AgentReference } from '../../command/agent-reference.ts'
import type { Implementation } from '../../command/implementation.ts'
import { readRevisions } from '../../deployments/read-revisions.ts'
import { namesOfMembers } from '../../deployments/people.ts'
import { withNames } from '../../deployments/with-names.ts'
import { viewHistory } from './view.ts'

export interface HistoryFlags {
  readonly limit: number
}

type RevisionList = Schemas['RevisionList']

/** Names of the people, which the body of the API doesn't have. */
const names = new WeakMap<RevisionList, ReadonlyMap<string, string>>()

export const history: Implementation<HistoryFlags, [agent?: AgentReference], RevisionList> = {
  async run(cli, { limit }, given) {
    const agent = await agentOf(cli, given)
    const list = await readRevisions(cli, agent, limit)
    names.set(list, await namesOfMembers(cli, agent.account))
    return list
  },

  view: (list, { printer }) => viewHistory(list.revisions, names.get(list), printer),

  json: (list) => withNames(list, names.get(list)),
}
