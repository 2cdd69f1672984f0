import { waitFor } from '@slipway/testing'

import type { DeploymentCase } from '../cases/deployment-case.ts'
import { deploymentCases, removingCases } from '../cases/deployment-cases.ts'
import { ask } from './catalog-fixture.ts'
import { podOf, type DeploymentWorld } from './deployment-fixture.ts'
import type { Comparison } from './deployment-rest.ts'

/** Sends all cases before comparing, so that a failure shows all differences. */
export async function sendAll(
  world: DeploymentWorld,
  send: (each: DeploymentCase) => Promise<Comparison>,
): Promise<{ found: unknown[]; expected: unknown[] }> {
  const { account, stuck } = world
  for (const greeting of ['first', 'second']) {
    const overrides = { 'agent.environment.GREETED': greeting }
    const body = { account, name: stuck, overrides }
    // The previous protocol's cases undeployed it, and its namespace may still be terminating.
    const isDeployed = async () => (await ask('POST', '/deploy', 'owner', { body })).status === 200
    await waitFor(isDeployed, { what: `the deploy of ${stuck}` })
  }
  const answers = []
  for (const each of deploymentCases(world)) answers.push(await send(each))
  const removing = removingCases({ ...world, stuckPod: await podOf(account, stuck) })
  for (const each of removing) answers.push(await send(each))
  return {
    found: answers.map(({ found }) => found),
    expected: answers.map(({ expected }) => expected),
  }
}
