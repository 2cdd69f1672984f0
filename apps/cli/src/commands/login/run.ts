import type { Static } from 'typebox'

import { discoverSignIn } from '../../auth/discovery.ts'
import { openBrowser } from '../../auth/open-browser.ts'
import { deviceLogin, type DeviceCode } from '../../auth/provider.ts'
import type { Cli } from '../../command/cli.ts'
import type { Implementation } from '../../command/implementation.ts'
import { openClient } from '../../command/open-client.ts'
import { sayKeyringDetail } from '../../command/say-keyring-detail.ts'
import type { NamedContext } from '../../config/contexts.ts'
import type { KnownSignIn } from '../../config/known-sign-in.ts'
import { isLocal, safeServerUrl, serverUrl } from '../../config/server-url.ts'
import { CliError } from '../../errors/cli-error.ts'
import { hint, lines } from '../../output/blocks.ts'
import { requireOwnSignIn, requireOwnToken } from './own-sign-in.ts'
import type { schema } from './result.ts'

export interface LoginFlags {
  readonly name?: string
  readonly browser: boolean
  readonly shareSignIn: boolean
  readonly insecure: boolean
}

export type LoginResult = Static<typeof schema>

export const login: Implementation<LoginFlags, [url?: string], LoginResult> = {
  async run(cli, flags, address) {
    if (cli.env['SLIPWAY_TOKEN'])
      throw new CliError('SLIPWAY_TOKEN is set, so no sign-in would be used', {
        code: 'token_in_environment',
        next: 'unset SLIPWAY_TOKEN',
      })
    const context = await contextFor(cli, address, flags)
    const { url, name } = context
    // Before a person signs in: what can't be stored is lost.
    await cli.contexts.requireWritable()
    const metadata = await discoverSignIn(url, cli.signal)
    const { issuer, clientId } = metadata
    cli.printer.error(`${url} will get a token of ${issuer} (client ${clientId}) to act as you`)
    let signIn: KnownSignIn = { issuer, client_id: clientId, origins: [] }
    const requireOwn = async (origins: readonly string[]) => {
      if (origins.length === signIn.origins.length) return
      signIn = { ...signIn, origins }
      await requireOwnSignIn(cli, url, signIn, flags.shareSignIn)
    }
    const steps = {
      onProvider: requireOwn,
      onCode: async (code: DeviceCode, origins: readonly string[]) => {
        await requireOwn(origins)
        announce(cli, code, flags.browser)
      },
    }
    const tokens = await deviceLogin(url, metadata, steps, cli.signal)
    // Before the server gets it.
    const { access_token: token } = tokens
    signIn = await requireOwnToken(cli, url, signIn, token, flags.shareSignIn)
    await cli.contexts.rememberSignIn(url, signIn)
    const client = openClient({ url, token, signal: cli.signal })
    const profile = (await client.GET('/api/v1/me', {})).data
    const storedIn = await cli.tokens.set(name, tokens)
    await cli.contexts.put(context, { use: true })
    if (storedIn === 'file') {
      cli.printer.say(
        `warning: the tokens are in ${cli.tokens.filePath}, because the keyring of this system ` +
          `can't be used (${cli.tokens.keyringProblem ?? ''})`,
        'warning',
      )
      sayKeyringDetail(cli)
    }
    const accounts = profile.accounts.map((account) => account.name)
    return { context: name, url, accounts, stored_in: storedIn }
  },

  view: ({ context, url, accounts }) => [
    lines(`signed in to ${url}`, `context ${context}; accounts: ${accounts.join(', ')}`),
    hint('next: slipway init, or slipway agents'),
  ],
}

/** The context to sign in to: that of the address, or else the chosen one. */
async function contextFor(
  cli: Cli,
  address: string | undefined,
  { name, insecure }: LoginFlags,
): Promise<NamedContext> {
  if (address === undefined && cli.env['SLIPWAY_URL'] === undefined) {
    const { url, context } = await cli.server()
    return { ...context, url, name: name ?? context?.name ?? nameFor(url) }
  }
  const given = address ?? cli.env['SLIPWAY_URL'] ?? ''
  const { contexts } = await cli.contexts.list()
  // A context of an earlier release goes on working.
  const isKnown = contexts.some((each) => each.url === serverUrl(given))
  const url = safeServerUrl(given, { insecure: insecure || isKnown })
  const known = contexts.find((each) =>
    name === undefined ? each.url === url : each.name === name,
  )
  if (known?.url === url) return known
  return { name: name ?? nameFor(url), url }
}

function nameFor(url: string): string {
  return isLocal(url) ? 'local' : new URL(url).hostname.slice(0, 63)
}

function announce(cli: Cli, { code, page, pageWithCode }: DeviceCode, browser: boolean): void {
  const { printer } = cli
  printer.error(`Open ${page} and enter the code ${printer.styled(code, 'strong')}`)
  const opened = browser && printer.hasLiveProgress && openBrowser(pageWithCode ?? page, cli.env)
  printer.say(opened ? 'waiting for you in the browser …' : 'waiting …')
}
