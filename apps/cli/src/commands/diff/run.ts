import type { Schemas } from '@slipway/client'
import type { Static } from 'typebox'

import { agentOf, type Agent, type AgentReference } from '../../command/agent-reference.ts'
import type { Cli } from '../../command/cli.ts'
import type { Implementation } from '../../command/define.ts'
import { splitRevisions } from '../../deployments/agent-and-last.ts'
import { differenceLine } from '../../deployments/difference-line.ts'
import { jsonDiff } from '../../deployments/json-diff.ts'
import { namesOfMembers } from '../../deployments/people.ts'
import { readDeployment } from '../../deployments/read-deployment.ts'
import { readRevisions } from '../../deployments/read-revisions.ts'
import { revisionsView } from '../../deployments/revisions-view.ts'
import { CliError, usageError } from '../../errors/cli-error.ts'
import { lines, type Block } from '../../output/blocks.ts'
import type { schema } from './result.ts'

export type Diff = Static<typeof schema>

/** Names of the people, which only the view has. */
const names = new WeakMap<Diff, ReadonlyMap<string, string>>()

type Args = [agent?: AgentReference | number, from?: number, to?: number]

/** The most that a page of the API has. */
const ALL = 1000

export const diff: Implementation<object, Args, Diff> = {
  async run(cli, _flags, first, ...others) {
    const { agent: given, revisions: numbers } = splitRevisions(first, others)
    const [before, after] = numbers
    if (before === undefined || numbers.length > 2)
      throw usageError('name one or two revisions', 'slipway history lists them')
    const agent = await agentOf(cli, given)
    const { revisions } = await readRevisions(cli, agent, ALL)
    const from = find(revisions, before)
    const to = after === undefined ? liveOf(revisions) : find(revisions, after)
    const isSameBuild = from.build_id === to.build_id
    const changes = isSameBuild ? [] : await changesBetween(cli, agent, [from, to])
    const result = { ...agent, from, to, same_build: isSameBuild, changes: [...changes] }
    if (cli.printer.format === 'text') names.set(result, await namesOfMembers(cli, agent.account))
    return result
  },

  view: (result) => [
    revisionsView([result.to, result.from], names.get(result)),
    ...differenceView(result),
  ],
}

function differenceView({ from, to, same_build: isSameBuild, changes }: Diff): readonly Block[] {
  return [
    ...(changes.length === 0 ? [] : [lines(...changes.map(differenceLine))]),
    ...(isSameBuild && from.revision !== to.revision
      ? [
          lines({
            text: 'both have the same build; settings and credentials are not compared',
            style: 'faint',
          }),
        ]
      : []),
  ]
}

async function changesBetween(
  cli: Cli,
  agent: Agent,
  [from, to]: readonly [Schemas['Revision'], Schemas['Revision']],
) {
  const { source_account: source } = await readDeployment(cli, agent, cli.signal)
  const owner = { account: source ?? agent.account, name: agent.name }
  const [before, after] = await Promise.all(
    [from, to].map(({ build_id: build }) => readTemplate(cli, owner, build)),
  )
  return jsonDiff(before, after)
}

async function readTemplate(cli: Cli, path: Agent, build: string): Promise<unknown> {
  const client = await cli.client()
  const params = { path: { ...path }, query: { build, format: 'json' as const } }
  const init = { params, signal: cli.signal }
  return (await client.GET('/api/v1/agents/{account}/{name}/deployment-template', init)).data
}

function find(revisions: readonly Schemas['Revision'][], number: number): Schemas['Revision'] {
  const found = revisions.find(({ revision }) => revision === number)
  if (found !== undefined) return found
  throw new CliError(`there is no revision ${number}`, {
    code: 'unknown_revision',
    next: 'slipway history, which lists them',
  })
}

function liveOf(revisions: readonly Schemas['Revision'][]): Schemas['Revision'] {
  const live = revisions.find((each) => each.live)
  if (live !== undefined) return live
  throw new CliError('no revision is in the cluster', {
    code: 'not_deployed',
    next: 'name two revisions; slipway history lists them',
  })
}
