import type { Static } from 'typebox'

import type { Cli } from '../../command/cli.ts'
import type { Implementation } from '../../command/implementation.ts'
import { explain } from '../../command/explain.ts'
import { exitCodes } from '../../errors/exit-code.ts'
import { fields, hint } from '../../output/blocks.ts'
import { ago } from '../../output/times.ts'
import type { schema } from './result.ts'

export type AuthStatus = Static<typeof schema>

export const authStatus: Implementation<object, [], AuthStatus> = {
  async run(cli) {
    const { url, context } = await cli.server()
    const server = { url, ...(context && { context: context.name }) }
    return { ...server, ...(await origin(cli, context?.name)), ...(await validity(cli)) }
  },

  view: (status) => [
    fields({
      server: status.url,
      context: status.context,
      user: status.user,
      'machine token': status.machine_token && machineText(status.machine_token),
      token: status.token_from,
      issuer: status.issuer,
      expires: status.expires_at === undefined ? undefined : ago(status.expires_at),
      accepted: status.is_valid ? { text: 'yes', style: 'good' } : { text: 'no', style: 'bad' },
      problem: status.problem,
    }),
    ...(status.is_valid ? [] : [hint(`next: ${adviceOn(status)}`)]),
  ],

  exitCode: ({ is_valid }) => (is_valid ? exitCodes.ok : exitCodes.signIn),
}

/** Signing in has no effect while the environment has a token. */
function adviceOn({ url, token_from }: AuthStatus): string {
  const login = `slipway login ${url}`
  return token_from === 'environment' ? `replace SLIPWAY_TOKEN, or unset it: ${login}` : login
}

function machineText({ name, role, account }: NonNullable<AuthStatus['machine_token']>): string {
  return account === undefined ? name : `${name} (${role} of ${account})`
}

async function validity(
  cli: Cli,
): Promise<Pick<AuthStatus, 'is_valid' | 'user' | 'machine_token' | 'expires_at' | 'problem'>> {
  try {
    const { data } = await (await cli.client()).GET('/api/v1/me', {})
    const { user, accounts, machine_token: token } = data
    if (token !== undefined) {
      // A machine token acts in one account; its role there may be less than its own.
      const [own] = accounts
      const { id, name, expires_at } = token
      const access = own && { role: own.role, account: own.name }
      return { is_valid: true, machine_token: { id, name, ...access }, expires_at }
    }
    return { is_valid: true, ...(user.email && { user: user.email }) }
  } catch (error) {
    const failure = explain(error)
    if (failure.exitCode !== exitCodes.signIn) throw error
    return { is_valid: false, problem: failure.message }
  }
}

async function origin(
  cli: Cli,
  context: string | undefined,
): Promise<Pick<AuthStatus, 'token_from' | 'issuer' | 'expires_at' | 'can_refresh'>> {
  if (cli.env['SLIPWAY_TOKEN']) return { token_from: 'environment', can_refresh: false }
  const tokens = context === undefined ? undefined : await cli.tokens.get(context)
  if (tokens === undefined) return { token_from: 'none', can_refresh: false }
  const { issuer, expires_at, refresh_token } = tokens
  return {
    token_from: cli.tokens.keyringProblem === undefined ? 'keyring' : 'file',
    issuer,
    ...(expires_at !== undefined && { expires_at: new Date(expires_at).toISOString() }),
    can_refresh: refresh_token !== undefined,
  }
}
