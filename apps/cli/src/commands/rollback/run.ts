import type { Static } from 'typebox'

import { agentOf, type AgentReference } from '../../command/agent-reference.ts'
import { consent, requireConsent, type ConsentFlags } from '../../command/consent.ts'
import type { Implementation } from '../../command/implementation.ts'
import { splitRevisions } from '../../deployments/agent-and-last.ts'
import { changeView } from '../../deployments/change-view.ts'
import { changeExitCodes, executeChange, type WaitFlags } from '../../deployments/change.ts'
import { defaultTarget } from '../../deployments/default-target.ts'
import { namesOfMembers } from '../../deployments/people.ts'
import { readRevisions } from '../../deployments/read-revisions.ts'
import { revisionsView } from '../../deployments/revisions-view.ts'
import { usageError } from '../../errors/cli-error.ts'
import type { schema } from './result.ts'

export interface RollbackFlags extends ConsentFlags, WaitFlags {}

export type RollbackOutcome = Static<typeof schema>

/** How many revisions are shown before the question. */
const SHOWN = 5

export const rollback: Implementation<
  RollbackFlags,
  [agent?: AgentReference | number, revision?: number],
  RollbackOutcome
> = {
  async run(cli, flags, first, second) {
    requireConsent(cli, flags)
    const { agent: given, revisions } = splitRevisions(first, [second])
    if (revisions.length > 1) throw usageError('only one revision can be restored')
    const agent = await agentOf(cli, given)
    let [revision] = revisions
    if (!flags.yes) {
      const { revisions: known } = await readRevisions(cli, agent, SHOWN)
      const people = await namesOfMembers(cli, agent.account)
      cli.printer.explain([revisionsView(known, people)], { isAsked: true })
      // What is agreed is what is done: the number is sent, also if the user has not named it.
      revision ??= defaultTarget(known)
      const build = known.find((each) => each.revision === revision)?.build_id
      const target =
        revision === undefined
          ? 'the newest earlier revision that was ready and differs'
          : `revision ${revision}${build === undefined ? '' : ` (build ${build})`}`
      await consent(cli, `Roll ${agent.name} in ${agent.account} back to ${target}?`)
    }
    const client = await cli.client()
    const params = { path: { account: agent.account, name: agent.name } }
    const body = revision === undefined ? {} : { revision }
    const path = '/api/v1/agents/{account}/{name}/deployment/rollback'
    const send = async () => (await client.POST(path, { params, body })).data
    return await executeChange(cli, agent, flags, send)
  },

  view: (outcome, cli) => changeView(outcome, cli),

  exitCode: ({ status }) => changeExitCodes[status],
}
