import { bucketMinutes } from '@slipway/words/buckets'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { client } from './client.ts'
import type { AgentPath } from './queries.ts'
import { timesOf, type TimeSearch } from './time-range.ts'

/** Bars of a small screen are thinner than a pixel if there are more. */
const MOST_BUCKETS = 120
const BY_MODEL = { group_by: 'model', group_buckets: true } as const

/** The metrics of an agent: in all, in buckets of time, and of each model. */
export function metricsQuery({ account, name }: AgentPath, search: TimeSearch) {
  return queryOptions({
    queryKey: ['metrics', account, name, search],
    queryFn: async ({ signal }) => {
      const { start, end } = timesOf(search)
      const query = { start_time: start.toISOString(), end_time: end.toISOString() }
      const interval = bucketMinutes(start, end, MOST_BUCKETS)
      const path = { account, name }
      const of = '/api/v1/agents/{account}/{name}/observability'
      const [summary, metrics] = await Promise.all([
        client.GET(`${of}/summary`, { params: { path, query }, signal }),
        client.GET(`${of}/metrics`, {
          params: { path, query: { ...query, interval, ...BY_MODEL } },
          signal,
        }),
      ])
      return { summary: summary.data, metrics: metrics.data }
    },
    placeholderData: keepPreviousData,
    refetchInterval: search.from === undefined ? 30_000 : false,
  })
}
