import type { Schemas } from '@slipway/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { client } from './client.ts'
import { isNotFound, type AgentPath } from './queries.ts'

/** Which build of an agent: by default the one that a deploy chooses. */
export interface BuildPath extends AgentPath {
  readonly version?: string
  readonly build?: string
}

/** The deployment template of a build. */
export function templateQuery({ account, name, version, build }: BuildPath) {
  return queryOptions({
    queryKey: ['template', account, name, version, build],
    queryFn: async ({ signal }) => {
      const query = { format: 'json' as const, ...buildQuery(version, build) }
      const params = { path: { account, name }, query }
      const path = '/api/v1/agents/{account}/{name}/deployment-template'
      const { data } = await client.GET(path, { params, signal })
      return data as Readonly<Record<string, unknown>>
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}

/** The credentials of a build with some interfaces. */
export function interfaceConfigQuery(
  { account, name, version, build }: BuildPath,
  interfaces: readonly string[],
) {
  return queryOptions({
    queryKey: ['interface-config', account, name, version, build, interfaces],
    queryFn: async ({ signal }) => {
      const query = { interfaces: interfaces.join(','), ...buildQuery(version, build) }
      const params = { path: { account, name }, query }
      return (await client.GET('/api/v1/agents/{account}/{name}/config', { params, signal })).data
    },
    enabled: interfaces.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}

/** What runs of an agent in an account, and how it was deployed; nothing if it isn't deployed. */
export interface Running {
  readonly deployment?: Schemas['Deployment']
  readonly settings?: Schemas['RevisionSettings'] | undefined
}

/** What runs when a form is opened. It stays the same while the form is filled in. */
export function runningQuery({ account, name }: AgentPath) {
  return queryOptions({
    queryKey: ['running', account, name],
    queryFn: async ({ signal }): Promise<Running> => {
      const path = { account, name }
      const url = '/api/v1/agents/{account}/{name}/deployment'
      try {
        const { data: deployment } = await client.GET(url, { params: { path }, signal })
        const { revision } = deployment
        // Nothing of it was ever applied.
        if (revision === 0) return { deployment }
        const params = { path: { ...path, revision } }
        const { data } = await client.GET(`${url}/revisions/{revision}`, { params, signal })
        return { deployment, settings: data.settings }
      } catch (error) {
        if (isNotFound(error)) return {}
        throw error
      }
    },
    staleTime: Infinity,
    gcTime: 0,
  })
}

function buildQuery(version: string | undefined, build: string | undefined) {
  return { ...(version !== undefined && { version }), ...(build !== undefined && { build }) }
}
