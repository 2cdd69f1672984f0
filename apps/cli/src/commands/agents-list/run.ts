import type { Client } from '@slipway/client'
import type { Static } from 'typebox'

import type { Cli } from '../../command/cli.ts'
import type { Implementation } from '../../command/implementation.ts'
import { readersClient } from '../../command/readers-client.ts'
import { hint, table } from '../../output/blocks.ts'
import { ago } from '../../output/times.ts'
import { matches } from './matches.ts'
import type { schema } from './result.ts'

export interface AgentsListFlags {
  readonly mine: boolean
  readonly tag?: string
  readonly limit: number
}

export type AgentsList = Static<typeof schema>
type Entry = AgentsList['agents'][number]

const PAGE = 100

export const agentsList: Implementation<AgentsListFlags, [query?: string], AgentsList> = {
  async run(cli, flags, query = '') {
    const agents: Entry[] = []
    for await (const agent of found(cli, flags, query)) {
      if (agents.length === flags.limit) return { agents, has_more: true }
      agents.push(agent)
    }
    return { agents, has_more: false }
  },

  view: ({ agents, has_more }, cli, flags) => [
    table({
      columns: [
        { title: 'AGENT', shrinkTo: 12 },
        { title: 'VERSION', shrinkTo: 5 },
        { title: 'UPDATED' },
        { title: 'DESCRIPTION', shrinkTo: 4 },
      ],
      rows: agents.map((agent) => [
        `${agent.account}/${agent.name}`,
        versionCell(agent),
        ago(agent.published_at ?? agent.registered_at ?? ''),
        agent.description ?? '',
      ]),
      empty: isOfAccount(cli, flags)
        ? 'no agents found'
        : 'no published agents found; yours: slipway agents --mine',
    }),
    ...(has_more ? [hint('there are more: use --limit, or search for a word')] : []),
  ],
}

async function* found(cli: Cli, flags: AgentsListFlags, query: string): AsyncGenerator<Entry> {
  const { tag, limit } = flags
  const client = await readersClient(cli)
  const size = Math.min(PAGE, limit + 1)
  if (!isOfAccount(cli, flags)) {
    const filter = { limit: size, ...(query !== '' && { q: query }), ...(tag && { tag }) }
    const init = { params: { query: filter }, signal: cli.signal }
    for await (const agent of client.items('/api/v1/agents', init)) yield entryOf(agent)
    return
  }
  for await (const agent of ofAccount(cli, client)) if (matches(agent, query, tag)) yield agent
}

/** Whether agents of one account are listed, also unpublished ones. */
function isOfAccount({ flags }: Cli, { mine }: AgentsListFlags): boolean {
  return mine || flags.account !== undefined
}

async function* ofAccount(cli: Cli, client: Client): AsyncGenerator<Entry> {
  const params = { path: { account: await cli.account() }, query: { limit: PAGE } }
  const init = { params, signal: cli.signal }
  for await (const agent of client.items('/api/v1/agents/{account}', init)) yield entryOf(agent)
}

interface Listed {
  readonly account: string
  readonly name: string
  readonly versions: readonly (Partial<Omit<Entry, 'account' | 'name'>> & {
    readonly tags: string[]
  })[]
}

function entryOf({ account, name, versions: [latest] }: Listed): Entry {
  const { version, build_id, description, published_at, registered_at } = latest ?? {}
  return {
    account,
    name,
    ...(version !== undefined && { version }),
    ...(build_id !== undefined && { build_id }),
    ...(description !== undefined && { description }),
    tags: latest?.tags ?? [],
    ...(published_at !== undefined && { published_at }),
    ...(registered_at !== undefined && { registered_at }),
    yanked: latest?.yanked ?? false,
  }
}

function versionCell({ version, build_id = '', yanked }: Entry) {
  if (version === undefined)
    return { text: `build ${build_id}`, style: 'faint', plain: '' } as const
  return yanked ? ({ text: `${version} yanked`, style: 'warning' } as const) : version
}
