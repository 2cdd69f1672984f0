import type { Schemas } from '@slipway/client'

import type { Agent } from '../command/agent-reference.ts'
import type { Cli } from '../command/cli.ts'

/** The newest revisions of a deployment. */
export async function readRevisions(
  cli: Cli,
  { account, name }: Agent,
  limit: number,
): Promise<Schemas['RevisionList']> {
  const client = await cli.client()
  const params = { path: { account, name }, query: { limit } }
  const init = { params, signal: cli.signal }
  return (await client.GET('/api/v1/agents/{account}/{name}/deployment/revisions', init)).data
}

/** A revision with its settings. */
export async function readRevision(
  cli: Cli,
  { account, name }: Agent,
  revision: number,
): Promise<Schemas['Revision']> {
  const client = await cli.client()
  const init = { params: { path: { account, name, revision } }, signal: cli.signal }
  const path = '/api/v1/agents/{account}/{name}/deployment/revisions/{revision}'
  return (await client.GET(path, init)).data
}
