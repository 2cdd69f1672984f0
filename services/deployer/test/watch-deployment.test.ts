import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import { DeploymentEventType } from '@slipway/proto/slipway/deployer/v1/deployment_event'
import { waitFor } from '@slipway/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { agentOf, failure } from './support/agents.ts'
import { startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer()
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

/** Returns the first message of a stream that resumes after an event. */
async function firstAfter(
  name: string,
  position: { afterSequence?: bigint; afterDeploymentId?: string },
) {
  const ended = new AbortController()
  const options = { ...owner.options, signal: ended.signal }
  try {
    for await (const message of deployer.deployments.watchDeployment(
      { account: owner.account, name, ...position },
      options,
    ))
      return message
    return undefined
  } finally {
    ended.abort()
  }
}

test('resumes after an event, or with a snapshot when later events are gone', async () => {
  const agent = agentOf(deployer, owner, 'resumed')
  await agent.register()
  await agent.deploy()
  const first = await firstAfter(agent.name, {})
  expect(first).toMatchObject({ type: DeploymentEventType.SNAPSHOT, revision: 1, buildId: 'b1' })
  const { deploymentId: afterDeploymentId = '', sequence: afterSequence = 0n } = first ?? {}
  expect(afterSequence).toBeGreaterThanOrEqual(2n)
  const resumed = { type: DeploymentEventType.RESUMED, deploymentId: afterDeploymentId }
  expect(await firstAfter(agent.name, { afterDeploymentId, afterSequence })).toMatchObject(resumed)
  expect(await firstAfter(agent.name, { afterDeploymentId, afterSequence: 0n })).toMatchObject(
    resumed,
  )
  expect(await firstAfter(agent.name, { afterSequence: 0n })).toMatchObject(resumed)
  expect(await firstAfter(agent.name, { afterDeploymentId, afterSequence: 999n })).toMatchObject({
    type: DeploymentEventType.SNAPSHOT,
  })

  // The relay deletes events that are older than its retention.
  await sql`DELETE FROM outbox WHERE aggregate_id = ${afterDeploymentId} AND sequence = 1`.execute(
    deployer.db,
  )
  expect(await firstAfter(agent.name, { afterDeploymentId, afterSequence: 0n })).toMatchObject({
    type: DeploymentEventType.SNAPSHOT,
  })
  expect(await firstAfter(agent.name, { afterDeploymentId, afterSequence: 1n })).toMatchObject(
    resumed,
  )

  await agent.undeploy()
  await agent.deploy()
  const other = await firstAfter(agent.name, { afterDeploymentId, afterSequence: 1n })
  expect(other).toMatchObject({ type: DeploymentEventType.SNAPSHOT, revision: 1, buildId: 'b1' })
  expect(other?.deploymentId).not.toBe(afterDeploymentId)
})

test('continues when the account is renamed, and ends with the membership', async () => {
  const { accounts } = deployer
  const team = await accounts.createAccount({ name: `${owner.account}-team` }, owner.options)
  const account = team.account?.name ?? ''
  const agent = agentOf(deployer, { ...owner, account }, 'renamed')
  await agent.register()
  await agent.deploy()
  const member = await deployer.signIn('member')
  await accounts.putMember({ account, userId: member.userId, role: Role.MEMBER }, owner.options)
  const target = { account, name: agent.name }
  const messages = deployer.deployments
    .watchDeployment(target, member.options)
    [Symbol.asyncIterator]()
  expect((await messages.next()).value).toMatchObject({ type: DeploymentEventType.SNAPSHOT })

  const newName = `${account}-two`
  await accounts.renameAccount({ account, newName }, owner.options)
  await accounts.deleteMember({ account: newName, userId: member.userId }, owner.options)
  const toTheEnd = async () => {
    while (!(await messages.next()).done);
  }
  expect(await failure(toTheEnd())).toMatchObject({ reason: 'permission_denied' })
})

test('sends a snapshot and then each event, until the undeploy', async () => {
  const agent = agentOf(deployer, owner, 'watched')
  await agent.register()
  await agent.deploy()
  const ended = new AbortController()
  const types: DeploymentEventType[] = []
  const reading = (async () => {
    for await (const event of agent.watch(ended.signal)) types.push(event.type)
  })()
  await waitFor(() => types.includes(DeploymentEventType.SNAPSHOT), { what: 'the first message' })
  await agent.deploy({ API_TOKEN: 'second-secret-value' })
  await agent.undeploy()
  await reading
  const events = types.filter((type) => type !== DeploymentEventType.STATE_CHANGED)
  expect(events).toEqual([
    DeploymentEventType.SNAPSHOT,
    DeploymentEventType.REQUESTED,
    DeploymentEventType.APPLIED,
    DeploymentEventType.UNDEPLOY_REQUESTED,
    DeploymentEventType.UNDEPLOYED,
  ])
})
