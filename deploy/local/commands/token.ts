import { parseArgs } from 'node:util'
import { login } from '@slipway/identity-provider/device-login'
import { DEVELOPMENT_ISSUER } from '../parts/identity-provider.ts'
import { requireEnv } from '../stack/running-stack.ts'
import { UsageError } from '../usage-error.ts'

/** `token USER`: prints an access token of a development user, and nothing else. */
export async function run(args: readonly string[]): Promise<number> {
  const { positionals } = parseArgs({
    args: [...args],
    options: {},
    strict: true,
    allowPositionals: true,
  })
  const [user, ...rest] = positionals
  if (user === undefined || rest.length > 0)
    throw new UsageError('token needs one user name, for example ./dev token alice')
  const issuer = requireEnv('SLIPWAY_ISSUER')
  if (issuer !== DEVELOPMENT_ISSUER)
    throw new Error(`this stack uses another identity provider: get a token from ${issuer}`)
  console.log(await login(issuer, user))
  return 0
}
