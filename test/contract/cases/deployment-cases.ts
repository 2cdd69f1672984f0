import { deployCases } from './deploy-cases.ts'
import type { DeploymentCase } from './deployment-case.ts'
import { changeCases } from './deployment-change-cases.ts'
import { readCases } from './deployment-read-cases.ts'
import { ingestionCases } from './ingestion-cases.ts'
import { inspectionCases } from './inspection-cases.ts'
import type { Caller } from '../support/catalog-fixture.ts'
import type { DeploymentWorld } from '../support/deployment-fixture.ts'

/** Every status of the deployments' routes that one request can provoke while all parts run. */
export function deploymentCases(world: DeploymentWorld): DeploymentCase[] {
  return [
    ...deployCases(world),
    ...readCases(world),
    ...changeCases(world),
    ...inspectionCases(world),
    ...ingestionCases(world),
  ]
}

/** Cases that remove something: each protocol gets its own. */
export function removingCases(
  { account, stuck, stuckNamespace, stuckPod }: DeploymentWorld,
  caller: Caller = 'member',
): DeploymentCase[] {
  return [
    {
      route: 'POST /deployments/{namespace}/pods/{pod}/restart',
      status: 200,
      caller,
      params: { namespace: stuckNamespace, pod: stuckPod },
      query: { account },
    },
    { route: 'POST /undeploy', status: 200, caller, body: { account, name: stuck } },
  ]
}

/** A successful case of every route, sent by the account's owner. */
export function goodCases(world: DeploymentWorld): Map<string, DeploymentCase> {
  const good = [...deploymentCases(world), ...removingCases(world)].filter(
    ({ status }) => status === 200,
  )
  // The first case of a route is the simplest one.
  return new Map(good.toReversed().map((each) => [each.route, { ...each, caller: 'owner' }]))
}
