import type { Schemas } from '@slipway/client'
import { jsonDiff, type Difference } from '@slipway/words/json-diff'
import { settingChanges } from '@slipway/words/setting-changes'
import type { Static } from 'typebox'

import { agentOf, type Agent, type AgentReference } from '../../command/agent-reference.ts'
import type { Cli } from '../../command/cli.ts'
import type { Implementation } from '../../command/implementation.ts'
import { splitRevisions } from '../../deployments/agent-and-last.ts'
import { differenceLine } from '../../deployments/difference-line.ts'
import { namesOfMembers } from '../../deployments/people.ts'
import { readDeployment } from '../../deployments/read-deployment.ts'
import { readRevision } from '../../deployments/read-revisions.ts'
import { revisionsView } from '../../deployments/revisions-view.ts'
import { CliError, usageError } from '../../errors/cli-error.ts'
import { withNames } from '../../deployments/with-names.ts'
import { lines, type Block } from '../../output/blocks.ts'
import type { schema } from './result.ts'

export type Diff = Static<typeof schema>

/** Names of the people, whose ids the revisions have. */
const names = new WeakMap<Diff, ReadonlyMap<string, string>>()

type Args = [agent?: AgentReference | number, from?: number, to?: number]

export const diff: Implementation<object, Args, Diff> = {
  async run(cli, _flags, first, ...others) {
    const { agent: given, revisions: numbers } = splitRevisions(first, others)
    const [before, after] = numbers
    if (before === undefined || numbers.length > 2)
      throw usageError('name one or two revisions', 'slipway history lists them')
    const agent = await agentOf(cli, given)
    const deployment = await readDeployment(cli, agent, cli.signal)
    const [from, to] = await Promise.all([
      readRevision(cli, agent, before),
      readRevision(cli, agent, after ?? requireLive(deployment)),
    ])
    const isSameBuild = from.build_id === to.build_id
    const owner = { account: deployment.source_account ?? agent.account, name: agent.name }
    const changes = isSameBuild ? [] : await changesBetween(cli, owner, [from, to])
    const result = {
      ...agent,
      from,
      to,
      same_build: isSameBuild,
      changes: [...changes],
      setting_changes: [...settingChanges(from.settings, to.settings)],
    }
    names.set(result, await namesOfMembers(cli, agent.account))
    return result
  },

  view: (result) => [
    revisionsView([result.to, result.from], names.get(result)),
    ...partView('build', result.changes),
    ...partView('settings', result.setting_changes),
    ...(isDifferent(result)
      ? []
      : [lines({ text: 'both have the same build and settings', style: 'faint' as const })]),
  ],

  json: (result) => withNames(result, names.get(result)),
}

function isDifferent({ from, to, setting_changes: settings }: Diff): boolean {
  return from.build_id !== to.build_id || settings.length > 0
}

/** What differs in the build or in the settings. */
function partView(part: string, changes: readonly Difference[]): readonly Block[] {
  if (changes.length === 0) return []
  return [lines({ text: part, style: 'strong' }, ...changes.map(differenceLine))]
}

async function changesBetween(
  cli: Cli,
  owner: Agent,
  [from, to]: readonly [Schemas['Revision'], Schemas['Revision']],
) {
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

function requireLive({ revision }: Schemas['Deployment']): number {
  if (revision > 0) return revision
  throw new CliError('no revision is in the cluster', {
    code: 'not_deployed',
    next: 'name two revisions; slipway history lists them',
  })
}
