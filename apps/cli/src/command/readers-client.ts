import type { Client } from '@slipway/client'

import type { Cli } from './cli.ts'

/**
 * A client for what everyone may read: it is signed in if there is a token, so that members see
 * more, and anonymous otherwise.
 */
export async function readersClient(cli: Cli): Promise<Client> {
  if (await hasToken(cli)) return await cli.client()
  const [{ url }, { openClient }] = await Promise.all([cli.server(), import('./open-client.ts')])
  const log = cli.flags.verbose ? (line: string) => cli.printer.error(line, 'faint') : undefined
  return openClient({ url, token: undefined, signal: cli.signal, log })
}

/** Whether there is a token for the server, valid or not. */
export async function hasToken(cli: Cli): Promise<boolean> {
  if (cli.env['SLIPWAY_TOKEN']) return true
  const { context } = await cli.server()
  return context !== undefined && (await cli.tokens.get(context.name)) !== undefined
}
