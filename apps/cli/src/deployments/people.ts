import { ApiError } from '@slipway/client'

import type { Cli } from '../command/cli.ts'

/** The members of an account by their ids. Empty if the caller may not list them. */
export async function namesOfMembers(
  cli: Cli,
  account: string,
): Promise<ReadonlyMap<string, string>> {
  const client = await cli.client()
  const names = new Map<string, string>()
  try {
    const params = { path: { account } }
    const members = client.items('/api/v1/accounts/{account}/members', {
      params,
      signal: cli.signal,
    })
    for await (const { user_id: id, email, first_name: first, last_name: last } of members) {
      const name = [first, last].filter(Boolean).join(' ')
      names.set(id, name || email || id)
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
  return names
}
