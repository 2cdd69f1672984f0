import type { Schemas } from '@slipway/client'

import { agentOf, type AgentReference } from '../../command/agent-reference.ts'
import type { Implementation } from '../../command/implementation.ts'
import { requireAgent } from '../../deployments/require-agent.ts'
import { hint, table } from '../../output/blocks.ts'
import { traceColumns, traceRow } from '../../traces/cells.ts'
import { filterQuery, type TraceFilters } from '../../traces/filters.ts'

export type TraceList = Schemas['TraceList']

export interface TracesListFlags extends TraceFilters {
  readonly limit: number
}

/** Most entries of a page. */
const PAGE = 500

export const tracesList: Implementation<TracesListFlags, [agent?: AgentReference], TraceList> = {
  async run(cli, { limit, ...filters }, reference) {
    const path = await agentOf(cli, reference)
    const client = await cli.client()
    // Traces that arrive between two pages must not move the second one.
    const until = filters.until ?? (limit > PAGE ? new Date() : undefined)
    const range = { ...filters, ...(until && { until }) }
    const query = { ...filterQuery(range), limit: Math.min(limit, PAGE) }
    const traces: TraceList['traces'] = []
    let total = 0
    const pages = client.pages('/api/v1/agents/{account}/{name}/observability/traces', {
      params: { path, query },
      signal: cli.signal,
    })
    for await (const page of pages) {
      traces.push(...page.traces)
      total = page.total
      if (traces.length >= limit) break
    }
    if (total === 0) await requireAgent(cli, path, 'traces', ['list', 'show', 'export'])
    return { traces: traces.slice(0, limit), total, limit, offset: 0 }
  },

  view: ({ traces, total }, _cli, { since }) => [
    table({
      columns: traceColumns,
      rows: traces.map(traceRow),
      empty: since === undefined ? 'no traces in the last 24 hours' : 'no traces',
    }),
    ...(traces.length < total
      ? [hint(`the newest ${traces.length} of ${total}; --limit shows more`)]
      : []),
    hint(
      total > 0
        ? 'next: slipway traces show TRACE'
        : 'traces arrive some seconds after an answer; --since 7d shows older ones; ' +
            'docs/guide/frameworks has the lines with which an agent sends them',
    ),
  ],
}
