import type { Agent } from '../../command/agent-reference.ts'
import type { Cli } from '../../command/cli.ts'
import { namesOfMembers } from '../../deployments/people.ts'
import { readDeployment } from '../../deployments/read-deployment.ts'
import { readRevisions } from '../../deployments/read-revisions.ts'
import type { AllStatus, DeploymentSummary, OneStatus } from './types.ts'

/** Revisions to look through for the live one. The newest come first. */
const RECENT_REVISIONS = 100

/** Reads all deployments of the account. */
export async function readAll(cli: Cli): Promise<AllStatus> {
  const client = await cli.client()
  const account = await cli.account()
  const query = { account, limit: 1000 }
  const deployments: DeploymentSummary[] = []
  const all = client.items('/api/v1/deployments', { params: { query }, signal: cli.signal })
  for await (const deployment of all) deployments.push(deployment)
  const names = cli.printer.format === 'text' ? undefined : await namesOfMembers(cli, account)
  const list = { deployments, count: deployments.length }
  return { kind: 'all', list, changed: deployments, names }
}

/** Reads the deployment of an agent, and what else people want to know. */
export async function readOne(cli: Cli, agent: Agent): Promise<OneStatus> {
  const deployment = await readDeployment(cli, agent, cli.signal)
  const [{ revisions }, names] = await Promise.all([
    readRevisions(cli, agent, RECENT_REVISIONS),
    namesOfMembers(cli, agent.account),
  ])
  return {
    kind: 'one',
    deployment,
    revision: revisions.find(({ revision }) => revision === deployment.revision),
    names,
    changes: [],
  }
}
