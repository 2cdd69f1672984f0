import type { Cli } from '../../command/cli.ts'
import { audiencesOf, claimsOf } from '../../auth/token-claims.ts'
import { consent } from '../../command/consent.ts'
import {
  isKnownSignIn,
  isSameIssuer,
  sharesProvider,
  type KnownSignIn,
} from '../../config/known-sign-in.ts'
import { CliError } from '../../errors/cli-error.ts'

/** The sign-in of a server. */
interface SignInOfServer extends KnownSignIn {
  readonly url: string
}

/**
 * Ends a sign-in, or asks, if its tokens would work at another server: any server can name the
 * issuer and client of another one.
 */
export async function requireOwnSignIn(
  cli: Cli,
  url: string,
  found: KnownSignIn,
  sharesSignIn: boolean,
): Promise<void> {
  const all = await knownSignIns(cli)
  if (all.some((each) => each.url === url && isKnownSignIn(each, found))) return
  const other = all.find((each) => each.url !== url && sharesProvider(each, found))
  if (other === undefined) return
  const message = `${url} signs in like ${other.url}: at ${found.issuer}, client ${found.client_id}`
  const why = `${url} would get a token with which it can act as you at ${other.url}`
  if (sharesSignIn) {
    cli.printer.say(`warning: ${message}; ${why}`, 'warning')
    return
  }
  if (!cli.isInteractive)
    throw new CliError(message, {
      code: 'sign_in_of_another_server',
      why,
      next: `use --share-sign-in if you trust ${url} with ${other.url}; otherwise don't sign in`,
    })
  cli.printer.error(`warning: ${message}`, 'warning')
  cli.printer.error(why)
  await consent(cli, `Trust ${url} with your access to ${other.url}?`)
}

/**
 * Returns the sign-in with the audiences of its token. Ends it, or asks, if the token would work at
 * another server: its claims say what the metadata of a server may hide.
 */
export async function requireOwnToken(
  cli: Cli,
  url: string,
  signIn: KnownSignIn,
  token: string,
  sharesSignIn: boolean,
): Promise<KnownSignIn> {
  const issuer = claimsOf(token)?.['iss']
  if (typeof issuer === 'string' && !isSameIssuer(issuer, signIn.issuer))
    throw new CliError(`${url} names the issuer ${signIn.issuer}, but the token is of ${issuer}`, {
      code: 'other_issuer',
      why: `${url} could act as you where tokens of ${issuer} are accepted, so it didn't get it`,
      next: 'ask the operator of the server to name the issuer of its tokens in AUTH_ISSUERS',
    })
  const found = { ...signIn, audiences: audiencesOf(token) }
  await requireOwnSignIn(cli, url, found, sharesSignIn)
  return found
}

/** The sign-ins of all servers, also of those with tokens of an earlier release. */
async function knownSignIns(cli: Cli): Promise<SignInOfServer[]> {
  const { contexts, signIns } = await cli.contexts.list()
  const remembered = Object.entries(signIns).map(([url, signIn]) => ({ url, ...signIn }))
  const tokens = await Promise.all(contexts.map(async ({ name }) => await cli.tokens.get(name)))
  const earlier = tokens.flatMap((each) =>
    each === undefined || Object.hasOwn(signIns, each.url)
      ? []
      : { ...each, origins: [], audiences: audiencesOf(each.access_token) },
  )
  return [...remembered, ...earlier]
}
