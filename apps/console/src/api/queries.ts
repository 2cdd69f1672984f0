import { ApiError, type Schemas } from '@slipway/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { client } from './client.ts'

/** An agent or its deployment, by the names in the address of the page. */
export interface AgentPath {
  readonly account: string
  readonly name: string
}

/** Most entries of a list that a page shows. */
export const MOST_ENTRIES = 1000
const REVISIONS = 50

/** The user with their accounts. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: async ({ signal }) => (await client.GET('/api/v1/me', { signal })).data,
  staleTime: 60_000,
})

/** The deployments of an account with their states. */
export function deploymentsQuery(account: string) {
  return queryOptions({
    queryKey: ['deployments', account],
    queryFn: async ({ signal }) => {
      const params = { query: { account, limit: MOST_ENTRIES } }
      return (await client.GET('/api/v1/deployments', { params, signal })).data
    },
    refetchInterval: 5_000,
  })
}

/** A deployment with its components, pods, and why they fail; null if there is none. */
export function deploymentQuery({ account, name }: AgentPath) {
  return queryOptions({
    queryKey: ['deployment', account, name],
    queryFn: async ({ signal }): Promise<Schemas['Deployment'] | null> => {
      const params = { path: { account, name } }
      const path = '/api/v1/agents/{account}/{name}/deployment'
      try {
        return (await client.GET(path, { params, signal })).data
      } catch (error) {
        if (isNotFound(error)) return null
        throw error
      }
    },
    // Events say when the state changes; restarts and exits of pods have none.
    refetchInterval: ({ state: { data, error } }) => {
      if (isNoAccount(error)) return false
      return data === null || data?.state === 'ready' ? 15_000 : 3_000
    },
  })
}

/** The newest revisions of a deployment. */
export function revisionsQuery({ account, name }: AgentPath) {
  return queryOptions({
    queryKey: ['revisions', account, name],
    queryFn: async ({ signal }) => {
      const params = { path: { account, name }, query: { limit: REVISIONS } }
      const path = '/api/v1/agents/{account}/{name}/deployment/revisions'
      return (await client.GET(path, { params, signal })).data.revisions
    },
  })
}

/** The names of an account's members by their ids; empty if the user may not list them. */
export function membersQuery(account: string) {
  return queryOptions({
    queryKey: ['members', account],
    queryFn: async ({ signal }) => {
      const params = { path: { account } }
      const names = new Map<string, string>()
      const members = client.items('/api/v1/accounts/{account}/members', { params, signal })
      for await (const member of members) names.set(member.user_id, memberName(member))
      return names
    },
    staleTime: 60_000,
  })
}

/** The name of a member, or else their e-mail address or user id. */
export function memberName(member: Schemas['Member']): string {
  const { user_id: id, email, first_name: first, last_name: last } = member
  return [first, last].filter(Boolean).join(' ') || email || id
}

/** Published agents whose name or description has these words. */
export function catalogQuery(search: { readonly q?: string; readonly tag?: string }) {
  return queryOptions({
    queryKey: ['catalog', search],
    queryFn: async ({ signal }) => {
      const params = { query: { ...search, limit: 100 } }
      return (await client.GET('/api/v1/agents', { params, signal })).data
    },
    placeholderData: keepPreviousData,
  })
}

/** The agents of an account, for its members with those that are not published. */
export function accountAgentsQuery(account: string) {
  return queryOptions({
    queryKey: ['account-agents', account],
    queryFn: async ({ signal }) => {
      const params = { path: { account }, query: { limit: MOST_ENTRIES } }
      return (await client.GET('/api/v1/agents/{account}', { params, signal })).data
    },
  })
}

/** An agent with its versions. */
export function agentQuery({ account, name }: AgentPath) {
  return queryOptions({
    queryKey: ['agent', account, name],
    queryFn: async ({ signal }) => {
      const params = { path: { account, name } }
      return (await client.GET('/api/v1/agents/{account}/{name}', { params, signal })).data
    },
  })
}

/** What an agent needs to be configured with. */
export function agentConfigQuery({ account, name }: AgentPath) {
  return queryOptions({
    queryKey: ['agent-config', account, name],
    queryFn: async ({ signal }) => {
      const params = { path: { account, name } }
      return (await client.GET('/api/v1/agents/{account}/{name}/config', { params, signal })).data
    },
  })
}

/** Whether an account has nothing at the address of a request. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404 && !isNoAccount(error)
}

/** Whether no account has the name in the address of a request, maybe not any more. */
export function isNoAccount(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'account_not_found'
}
