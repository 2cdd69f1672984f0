import { expect, test } from 'vitest'

import { createClient, type Schemas } from '../src/index.ts'
import { json, scriptedServer } from './support/scripted-server.ts'

// The compiler checks this file, too: a line after `@ts-expect-error` without an error is one.

const AGENT = { path: { account: 'alice', name: 'bot' } }
const EXPORT = '/api/v1/agents/{account}/{name}/observability/traces/export'

test('has the types of the API document', async () => {
  const partial = { status: 'partial', errors: [] }
  await using server = await scriptedServer(json(partial, 207))
  const client = createClient({ url: server.url })
  const body = { account: 'alice', name: 'bot' }
  const { data } = await client.POST('/api/v1/deploy', { body })
  const result: Schemas['DeployResult'] = data
  const status: 'success' | 'partial' = data.status
  expect([result.status, status]).toEqual(['partial', 'partial'])
})

/** Calls that are checked, but not executed. */
export function calls(client: ReturnType<typeof createClient>): readonly unknown[] {
  return [
    client.GET('/api/v1/me').then(({ data }): string | undefined => data.accounts[0]?.name),
    client.GET('/api/v1/agents/{account}/{name}', { params: AGENT }),
    client
      .GET(EXPORT, {
        params: { ...AGENT, query: { start_time: '', end_time: '' } },
        parseAs: 'stream',
      })
      .then(({ data }): ReadableStream | null => data),
    // @ts-expect-error The path has parameters.
    client.GET('/api/v1/agents/{account}/{name}'),
    // @ts-expect-error The account is missing.
    client.GET('/api/v1/deployments', { params: {} }),
    // @ts-expect-error There is no such path.
    client.GET('/api/v1/agent'),
    // @ts-expect-error There is no such method.
    client.POST('/api/v1/me'),
    // @ts-expect-error The body is missing.
    client.POST('/api/v1/deploy'),
    // @ts-expect-error The body has no such member.
    client.POST('/api/v1/deploy', { body: { account: 'alice', name: 'bot', nmae: 'bot' } }),
    // @ts-expect-error The query has no such member.
    client.GET('/api/v1/agents', { params: { query: { limits: 3 } } }),
    // @ts-expect-error This is not a list.
    client.items('/api/v1/me', {}),
  ]
}
