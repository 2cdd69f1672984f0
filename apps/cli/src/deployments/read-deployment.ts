import type { Schemas } from '@slipway/client'

import type { Agent } from '../command/agent-reference.ts'
import type { Cli } from '../command/cli.ts'
import { isMissing } from '../command/is-missing.ts'

/** The state of a deployment with its components, pods, and why they fail. */
export async function readDeployment(
  cli: Cli,
  { account, name }: Agent,
  signal: AbortSignal,
): Promise<Schemas['Deployment']> {
  const client = await cli.client()
  const init = { params: { path: { account, name } }, signal }
  return (await client.GET('/api/v1/agents/{account}/{name}/deployment', init)).data
}

/** Whether an agent is deployed. */
export async function isDeployed(cli: Cli, agent: Agent): Promise<boolean> {
  try {
    await readDeployment(cli, agent, cli.signal)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
