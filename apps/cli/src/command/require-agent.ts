import { isDeployed } from '../deployments/read-deployment.ts'
import type { Agent } from './agent-reference.ts'
import type { Cli } from './cli.ts'
import { explain } from './explain.ts'
import { CliError } from './cli-error.ts'
import { isMissing } from './is-missing.ts'
import { nearest } from './nearest.ts'

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
    const meant = nearest(agent.name, subCommands)
    if (meant === undefined) throw error
    const { message, code, requestId } = explain(error)
    const next = `did you mean slipway ${group} ${meant}?`
    throw new CliError(message, { code, next, requestId, cause: error })
  }
}
