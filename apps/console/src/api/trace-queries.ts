import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { client } from './client.ts'
import type { AgentPath } from './queries.ts'
import { startTime, type RangeName } from './time-range.ts'

/** Which traces a list has, as in the address of the page. */
export interface TraceSearch {
  readonly q?: string
  readonly status?: 'ok' | 'error'
  readonly model?: string
  readonly session?: string
  readonly slower?: number
  readonly since?: RangeName
  readonly offset?: number
}

/** Traces on a page of the list. */
export const TRACES_PER_PAGE = 50

/** The newest traces of an agent. */
export function tracesQuery({ account, name }: AgentPath, search: TraceSearch) {
  const { q, status, model, session, slower, since, offset } = search
  return queryOptions({
    queryKey: ['traces', account, name, search],
    queryFn: async ({ signal }) => {
      const given = {
        q,
        status,
        model,
        session_id: session,
        min_latency_ms: slower,
        ...startTime(since),
        offset,
        limit: TRACES_PER_PAGE,
      }
      const query = Object.fromEntries(
        Object.entries(given).filter(([, value]) => value !== undefined),
      )
      const path = '/api/v1/agents/{account}/{name}/observability/traces'
      const init = { params: { path: { account, name }, query }, signal }
      return (await client.GET(path, init)).data
    },
    placeholderData: keepPreviousData,
    refetchInterval: offset === undefined ? 10_000 : false,
  })
}

/** A trace with its spans. */
export function traceQuery({ account, name }: AgentPath, traceId: string) {
  return queryOptions({
    queryKey: ['trace', account, name, traceId],
    queryFn: async ({ signal }) => {
      const params = { path: { account, name, trace_id: traceId } }
      const path = '/api/v1/agents/{account}/{name}/observability/traces/{trace_id}'
      return (await client.GET(path, { params, signal })).data
    },
  })
}
