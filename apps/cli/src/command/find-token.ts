import type { components } from '@slipway/client'

import { CliError } from '../errors/cli-error.ts'
import type { Cli } from './cli.ts'

/** A machine token of an account, as the API returns it: without its secret. */
export type MachineToken = components['schemas']['MachineToken']

/** The role of a machine token. */
export type TokenRole = components['schemas']['MachineTokenRole']

/** All roles of machine tokens, for options. */
export const tokenRoles = ['member', 'admin'] as const satisfies readonly TokenRole[]

/** How long a machine token is valid at most. */
export const MAX_DAYS = 365

/** All machine tokens of the account. */
export async function listTokens(cli: Cli): Promise<components['schemas']['MachineTokenList']> {
  const client = await cli.client()
  const params = { path: { account: await cli.account() } }
  return (await client.GET('/api/v1/accounts/{account}/tokens', { params, signal: cli.signal }))
    .data
}

/** The machine token of the account with this id or name. A name can be the id of another one. */
export async function requireToken(cli: Cli, given: string): Promise<MachineToken> {
  const { tokens } = await listTokens(cli)
  const token = tokens.find(({ id }) => id === given) ?? tokens.find(({ name }) => name === given)
  if (token !== undefined) return token
  throw new CliError(`${await cli.account()} has no token "${given}"`, {
    code: 'token_not_found',
    next: 'slipway tokens list',
  })
}
