import { parseArgs } from 'node:util'
import { login } from '@slipway/identity-provider/device-login'
import { resolveLocalhostNames } from '@slipway/local/process/localhost-names'
import { requireEnv } from '@slipway/local/stack/running-stack'
import { readSettings } from '@slipway/local/stack/settings-store'
import { stackDirectories } from '@slipway/local/stack/stack'
import { UsageError } from '@slipway/local/usage-error'

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
  if (readSettings(stackDirectories())?.external.SLIPWAY_ISSUER !== undefined)
    throw new Error(`this stack uses another identity provider: get a token from ${issuer}`)
  resolveLocalhostNames()
  console.log(await login(issuer, user))
  return 0
}
