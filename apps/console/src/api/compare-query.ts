import type { Schemas } from '@slipway/client'
import { jsonDiff } from '@slipway/words/json-diff'
import { settingChanges } from '@slipway/words/setting-changes'
import { queryOptions } from '@tanstack/react-query'

import { client } from './client.ts'
import type { AgentPath } from './queries.ts'

/** Two revisions in the address of the page that compares them. */
export interface CompareSearch {
  readonly from?: number
  readonly to?: number
}

/** A revision with its settings, which don't change. */
export function revisionQuery({ account, name }: AgentPath, revision: Schemas['Revision']) {
  const { revision: number, created_at: created } = revision
  return queryOptions({
    // After an undeploy, numbers begin again.
    queryKey: ['revision', account, name, number, created],
    queryFn: async ({ signal }) => await readRevision({ account, name }, number, signal),
    staleTime: Infinity,
  })
}

/**
 * How two revisions differ: what their builds run, and their settings. `source` is the account
 * that the builds are of.
 */
export function compareQuery(
  { account, name }: AgentPath,
  source: string,
  { from, to }: Required<CompareSearch>,
) {
  return queryOptions({
    queryKey: ['compare', account, name, source, from, to],
    queryFn: async ({ signal }) => {
      const readTemplate = async (build: string) => {
        const params = {
          path: { account: source, name },
          query: { build, format: 'json' as const },
        }
        const path = '/api/v1/agents/{account}/{name}/deployment-template'
        return (await client.GET(path, { params, signal })).data
      }
      const [before, after] = await Promise.all([
        readRevision({ account, name }, from, signal),
        readRevision({ account, name }, to, signal),
      ])
      const templates =
        before.build_id === after.build_id
          ? []
          : await Promise.all([readTemplate(before.build_id), readTemplate(after.build_id)])
      return {
        before,
        after,
        build: jsonDiff(templates[0], templates[1]),
        settings: settingChanges(before.settings, after.settings),
      }
    },
    // Revisions don't change, other than their readiness.
    staleTime: 60_000,
  })
}

async function readRevision(agent: AgentPath, revision: number, signal: AbortSignal) {
  const path = '/api/v1/agents/{account}/{name}/deployment/revisions/{revision}'
  return (await client.GET(path, { params: { path: { ...agent, revision } }, signal })).data
}
