import { bucketMinutes } from '@slipway/words/buckets'

import { agentOf, type AgentReference } from '../../command/agent-reference.ts'
import type { Implementation } from '../../command/implementation.ts'
import { rangeQuery, type RangeFlags } from '../../command/values/range.ts'
import type { AgentMetrics } from './result.ts'
import { viewPlain } from './view-plain.ts'
import { columnsForBars, viewMetrics } from './view-metrics.ts'

export interface MetricsFlags extends RangeFlags {
  readonly by?: 'model' | 'build'
}

const DAY_MS = 86_400_000
const MOST_BUCKETS = 60

type Args = [agent?: AgentReference]

export const metrics: Implementation<MetricsFlags, Args, AgentMetrics> = {
  async run(cli, { by, since, until }, reference) {
    const path = await agentOf(cli, reference)
    const client = await cli.client()
    const end = until ?? new Date()
    const start = since ?? new Date(end.getTime() - DAY_MS)
    // Both requests have the same range, also where it ends now.
    const query = rangeQuery({ since: start, until: end })
    const { printer, signal } = cli
    const isDrawn = printer.isTerminal && printer.format === 'text'
    const room = isDrawn ? columnsForBars(printer.screen.columns) : MOST_BUCKETS
    const interval = bucketMinutes(start, end, Math.min(room, MOST_BUCKETS))
    const of = '/api/v1/agents/{account}/{name}/observability'
    const [summary, buckets] = await Promise.all([
      client.GET(`${of}/summary`, { params: { path, query }, signal }),
      client.GET(`${of}/metrics`, {
        params: { path, query: { ...query, interval, ...(by && { group_by: by }) } },
        signal,
      }),
    ])
    return { summary: summary.data, metrics: buckets.data }
  },

  view: (result, { printer }, { by }) =>
    printer.isTerminal ? viewMetrics(result, printer.screen.columns, by) : viewPlain(result),
}
