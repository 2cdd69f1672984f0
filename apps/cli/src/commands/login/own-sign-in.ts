import type { Cli } from '../../command/cli.ts'
import { consent } from '../../command/consent.ts'
import { isSameSignIn, sharesProvider, type KnownSignIn } from '../../config/known-sign-in.ts'
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
  if (all.some((each) => each.url === url && isSameSignIn(each, found))) return
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

/** The sign-ins of all servers, also of those with tokens of an earlier release. */
async function knownSignIns(cli: Cli): Promise<SignInOfServer[]> {
  const { contexts, signIns } = await cli.contexts.list()
  const remembered = Object.entries(signIns).map(([url, signIn]) => ({ url, ...signIn }))
  const tokens = await Promise.all(contexts.map(async ({ name }) => await cli.tokens.get(name)))
  const earlier = tokens.flatMap((each) =>
    each === undefined || Object.hasOwn(signIns, each.url) ? [] : { ...each, origins: [] },
  )
  return [...remembered, ...earlier]
}
