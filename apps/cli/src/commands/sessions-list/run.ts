import type { Schemas } from '@slipway/client'

import { agentOf, type AgentReference } from '../../command/agent-reference.ts'
import type { Implementation } from '../../command/implementation.ts'
import { rangeQuery, type RangeFlags } from '../../command/values/range.ts'
import { requireAgent } from '../../deployments/require-agent.ts'
import { hint, table, type Cell } from '../../output/blocks.ts'
import { compact, dollars } from '../../output/numbers.ts'
import { ago } from '../../output/times.ts'

export type SessionList = Schemas['SessionList']

export interface SessionsListFlags extends RangeFlags {
  readonly errors: boolean
  readonly user?: string
  readonly prefix?: string
  readonly limit: number
}

/** Most entries of a page. */
const PAGE = 500
/** What is enough of an input for any terminal. */
const MOST_TEXT = 500

type Args = [agent?: AgentReference]

export const sessionsList: Implementation<SessionsListFlags, Args, SessionList> = {
  async run(cli, { errors, user, prefix, since, until, limit }, reference) {
    const path = await agentOf(cli, reference)
    const client = await cli.client()
    // Turns that arrive between two pages must not move the second one.
    const end = until ?? (limit > PAGE ? new Date() : undefined)
    const query = {
      ...rangeQuery({ ...(since && { since }), ...(end && { until: end }) }),
      ...(errors && { has_errors: true }),
      ...(user !== undefined && { user_id: user }),
      ...(prefix !== undefined && { q: prefix }),
      limit: Math.min(limit, PAGE),
    }
    const sessions: SessionList['sessions'] = []
    let last: Pick<SessionList, 'total' | 'tokens_estimated'> | undefined
    const pages = client.pages('/api/v1/agents/{account}/{name}/observability/sessions', {
      params: { path, query },
      signal: cli.signal,
    })
    for await (const page of pages) {
      sessions.push(...page.sessions)
      last = page
      if (sessions.length >= limit) break
    }
    if (sessions.length === 0) await requireAgent(cli, path, 'sessions', ['list', 'show'])
    const { total = 0, tokens_estimated = false } = last ?? {}
    return { sessions: sessions.slice(0, limit), tokens_estimated, total, limit, offset: 0 }
  },

  view: ({ sessions, total }, _cli, { since }) => [
    table({
      columns: [
        { title: 'SESSION', shrinkTo: 8 },
        { title: 'LAST TURN' },
        { title: 'TURNS', align: 'right' },
        { title: 'ERRORS', align: 'right', fromColumns: 50 },
        { title: 'TOKENS', align: 'right', fromColumns: 60 },
        { title: 'COST', align: 'right', fromColumns: 70 },
        { title: 'USER', shrinkTo: 8, fromColumns: 110 },
        { title: 'INPUT', shrinkTo: 8, fromColumns: 84 },
      ],
      rows: sessions.map(sessionRow),
      empty: since === undefined ? 'no sessions in the last 24 hours' : 'no sessions',
    }),
    ...(sessions.length < total
      ? [hint(`the newest ${sessions.length} of ${total}; --limit shows more`)]
      : []),
    hint(
      sessions.length > 0
        ? 'next: slipway sessions show SESSION'
        : 'sessions arrive with traces, some seconds after an answer; --since 7d shows older ones',
    ),
  ],
}

function sessionRow(session: Schemas['SessionEntry']): Cell[] {
  const { session_id: id, last_timestamp: last, turn_count: turns, input, user_id } = session
  const { error_count: errors, input_tokens: sent, output_tokens: received, cost_usd } = session
  return [
    id,
    ago(last),
    compact(turns),
    { ...compact(errors), style: errors > 0 ? 'bad' : undefined },
    compact(sent + received),
    dollars(cost_usd),
    user_id ?? '',
    { text: input.slice(0, MOST_TEXT), plain: input },
  ]
}
