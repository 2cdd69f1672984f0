import type { ApiError, Schemas } from '@slipway/client'

import type { Cli } from '../command/cli.ts'
import { CliError } from '../errors/cli-error.ts'
import type { DeployRequest } from './deploy-request.ts'

/**
 * The account that a name meant at the last deploy, so that no one else who has the name now gets
 * the credentials. Only contexts remember it.
 */
export async function knownSource(
  cli: Cli,
  { source_account: name }: DeployRequest,
): Promise<Pick<Schemas['DeployRequest'], 'source_account_id'>> {
  if (name === undefined) return {}
  const { context } = await cli.server()
  const sources = context?.sources ?? {}
  const id = Object.hasOwn(sources, name) ? sources[name] : undefined
  return id === undefined ? {} : { source_account_id: id }
}

/** Remembers which account the name of a deploy meant. */
export async function rememberSource(
  cli: Cli,
  { source_account: name, source_account_id: id }: Schemas['DeployRequest'],
): Promise<void> {
  const { context } = await cli.server()
  if (context === undefined || name === undefined || id === undefined) return
  const sources = context.sources ?? {}
  if (Object.hasOwn(sources, name) && sources[name] === id) return
  // The deploy has happened, so it doesn't fail if the folder can't be written.
  await cli.contexts.rememberSource(context.name, name, id).catch((error: unknown) => {
    if (!(error instanceof CliError)) throw error
    cli.printer.say(`warning: the account ${name} is not remembered: ${error.message}`, 'warning')
  })
}

/** The error if the name of a source account belongs to another account than before. */
export async function explainSource(
  cli: Cli,
  { source_account: name = '' }: DeployRequest,
  { code, detail, requestId }: ApiError,
): Promise<CliError> {
  const { context } = await cli.server()
  const { path } = cli.contexts
  return new CliError(`${name} is not the account whose agent you deployed before`, {
    code,
    why: detail,
    next:
      `ask the owner of the agent for its account; if you trust ${name}, remove it from ` +
      `"sources" of the context "${context?.name ?? ''}" in ${path}`,
    requestId,
  })
}
