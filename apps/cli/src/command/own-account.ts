import type { Client } from '@slipway/client'

import { CliError } from '../errors/cli-error.ts'

/** The account that the caller has without choosing one: a person's own, or that of a token. */
export async function ownAccount(client: Client): Promise<string> {
  const { data } = await client.GET('/api/v1/me', {})
  const { accounts } = data
  const own = accounts.find(({ type }) => type === 'personal') ?? accounts[0]
  if (own !== undefined) return own.name
  throw new CliError('you have no account', {
    code: 'no_account',
    next: 'slipway account list, then use --account NAME',
  })
}
