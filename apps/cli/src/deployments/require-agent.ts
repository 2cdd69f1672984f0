import type { Agent } from '../command/agent-reference.ts'
import type { Cli } from '../command/cli.ts'
import { explain } from '../command/explain.ts'
import { isMissing } from '../command/is-missing.ts'
import { CliError } from '../errors/cli-error.ts'
import { isDeployed } from './read-deployment.ts'

/**
 * Fails for an agent that the account has neither registered nor deployed. If its name is almost
 * that of a sub-command, the advice is that one.
 */
export async function requireAgent(
  cli: Cli,
  agent: Agent,
  group: string,
  subCommands: readonly string[],
): Promise<void> {
  const client = await cli.client()
  const init = { params: { path: { ...agent } }, signal: cli.signal }
  try {
    await client.GET('/api/v1/agents/{account}/{name}', init)
  } catch (error) {
    if (!isMissing(error)) throw error
    // The build of a deployment can be another account's.
    if (await isDeployed(cli, agent)) return
    const { closestName } = await import('@slipway/agent-spec/closest-name')
    const meant = closestName(agent.name, subCommands)
    if (meant === undefined) throw error
    const { message, code, requestId } = explain(error)
    const next = `did you mean slipway ${group} ${meant}?`
    throw new CliError(message, { code, next, requestId, cause: error })
  }
}
