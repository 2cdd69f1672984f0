import { claimsOf } from '../../../auth/token-claims.ts'
import type { Cli } from '../../../command/cli.ts'
import { explain } from '../../../command/explain.ts'
import { durationOf } from '../../../output/times.ts'
import { failed, fetchJson, ok, reasonOf, warning, type Check } from '../check.ts'

const EXPIRY_WARNING_DAYS = 14
const DAY_SECONDS = 86_400

/** Where the token is from, whether the server accepts it, and when it expires. */
export async function checkToken(cli: Cli): Promise<Check> {
  const name = 'token'
  const { url, context } = await cli.server()
  const isFixed = Boolean(cli.env['SLIPWAY_TOKEN'])
  const stored = isFixed || context === undefined ? undefined : await cli.tokens.get(context.name)
  const signIn = isFixed ? 'set SLIPWAY_TOKEN to a valid token' : `slipway login ${url}`
  if (!isFixed && stored === undefined) return failed(name, 'you are not signed in', signIn)
  const origin = isFixed ? 'SLIPWAY_TOKEN' : 'your sign-in'
  try {
    const { data } = await (await cli.client()).GET('/api/v1/me', { signal: cli.signal })
    const { id, email = id } = data.user
    return expiry(name, `${origin} is accepted, as ${email}`, isFixed, cli.env['SLIPWAY_TOKEN'])
  } catch (error) {
    cli.signal.throwIfAborted()
    const { message, next } = explain(error)
    return failed(name, `${origin} is not accepted: ${message}`, next ?? signIn)
  }
}

function expiry(name: string, detail: string, isFixed: boolean, token = ''): Check {
  // A sign-in is refreshed by itself.
  const seconds = isFixed ? secondsLeft(token) : undefined
  if (seconds === undefined) return ok(name, detail)
  const text = `${detail}; it expires in ${durationOf(seconds)}`
  return seconds < EXPIRY_WARNING_DAYS * DAY_SECONDS
    ? warning(name, text, 'get another one before that, or sign in: slipway login')
    : ok(name, text)
}

/** What is left of a JSON Web Token. Undefined for other tokens. */
function secondsLeft(token: string): number | undefined {
  const exp = claimsOf(token)?.['exp']
  return typeof exp === 'number' ? Math.max(0, Math.round(exp - Date.now() / 1000)) : undefined
}

/** Whether the identity provider that the server names can be reached. */
export async function checkProvider(server: string, signal: AbortSignal): Promise<Check> {
  const name = 'identity provider'
  const { origin, pathname } = new URL(`${server}/api/v1`)
  try {
    const address = `${origin}/.well-known/oauth-protected-resource${pathname}`
    const { body } = await fetchJson(address, signal)
    const logins = (body as { slipway_login?: { issuer?: string }[] } | undefined)?.slipway_login
    const issuer = logins?.[0]?.issuer
    if (issuer === undefined)
      return warning(
        name,
        'the server does not say how the command line signs in',
        'use SLIPWAY_TOKEN, or ask the operator to set the client id of the command line',
      )
    return await checkIssuer(name, issuer, signal)
  } catch (error) {
    return failed(name, `not known: ${reasonOf(error, signal)}`, 'try again')
  }
}

async function checkIssuer(name: string, issuer: string, signal: AbortSignal): Promise<Check> {
  try {
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const { response, body } = await fetchJson(address, signal)
    if ((body as { issuer?: unknown } | undefined)?.issuer === issuer) return ok(name, issuer)
    const detail = `${issuer} answers with ${response.status}, and not as this provider`
    return failed(name, detail, 'ask the operator of the server to check its address')
  } catch (error) {
    const detail = `${issuer}: ${reasonOf(error, signal)}`
    return failed(name, detail, 'you can go on until your token expires; check the network')
  }
}
