import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { client } from './client.ts'
import type { AgentPath } from './queries.ts'
import { startTime, type RangeName } from './time-range.ts'

/** Which sessions a list has, as in the address of the page. */
export interface SessionsSearch {
  /** The beginning of their ids. */
  readonly q?: string
  readonly user?: string
  readonly failed?: true
  readonly since?: RangeName
  readonly offset?: number
}

/** A session in the address of its page. */
export interface SessionSearch {
  readonly id?: string
  readonly offset?: number
}

/** Sessions on a page of the list. */
export const SESSIONS_PER_PAGE = 50
/** Turns on the page of a session. */
export const TURNS_PER_PAGE = 50

/** The conversations with an agent, by their last turns. */
export function agentSessionsQuery({ account, name }: AgentPath, search: SessionsSearch) {
  const { q, user, failed, since, offset = 0 } = search
  return queryOptions({
    queryKey: ['agent-sessions', account, name, search],
    queryFn: async ({ signal }) => {
      const query = {
        ...(q !== undefined && { q }),
        ...(user !== undefined && { user_id: user }),
        ...(failed && { has_errors: true }),
        ...startTime(since),
        offset,
        limit: SESSIONS_PER_PAGE,
      }
      const path = '/api/v1/agents/{account}/{name}/observability/sessions'
      return (await client.GET(path, { params: { path: { account, name }, query }, signal })).data
    },
    placeholderData: keepPreviousData,
    refetchInterval: offset === 0 ? 10_000 : false,
  })
}

/** A conversation with its turns, the oldest first. */
export function agentSessionQuery({ account, name }: AgentPath, id: string, offset: number) {
  return queryOptions({
    queryKey: ['agent-session', account, name, id, offset],
    queryFn: async ({ signal }) => {
      const params = {
        path: { account, name, session_id: id },
        query: { offset, limit: TURNS_PER_PAGE },
      }
      const path = '/api/v1/agents/{account}/{name}/observability/sessions/{session_id}'
      return (await client.GET(path, { params, signal })).data
    },
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })
}
