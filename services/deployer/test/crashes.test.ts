import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { DeployStatus, RevisionState } from '@slipway/proto/slipway/deployer/v1/deployment'
import { waitFor } from '@slipway/shared/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { listEventsAfter } from '../src/db/outbox-events.ts'
import { agentOf, CREDENTIALS, statusesOf } from './agents.ts'
import { outcomeOf, startTestDeployer, type Person, type TestDeployer } from './deployer.ts'

/** How long the reconciler may take to bring an interrupted apply to its end. */
const HEALED_MS = 30_000

let deployer: TestDeployer
let owner: Person
const children: ChildProcess[] = []
beforeAll(async () => {
  deployer = await startTestDeployer()
  owner = await deployer.signIn('owner')
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

/** The clients of a deployer that is killed, as by `kill -9`, when it comes to a step. */
async function crashingAt(step: string): Promise<TestDeployer> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('crashing-deployer.ts', import.meta.url))], {
    // Nothing of the surroundings, so that it is set up as the one that comes after.
    env: { PATH: process.env['PATH'], ...deployer.env, CRASH_AT: step },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer]
  const clients = deployer.clientsOf({ grpcAddress: line.toString().trim() })
  return { ...deployer, ...clients }
}

async function eventsOf(name: string): Promise<string[]> {
  const { id } = await deployer.db
    .selectFrom('deployment')
    .select('id')
    .where('agent', '=', name)
    .orderBy('create_time')
    .executeTakeFirstOrThrow()
  const events = await listEventsAfter(deployer.db, id, 0)
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
  return events.map(({ subject }) => subject.split('.').at(-1) ?? '').filter((event) => event !== 'state_changed')
}

describe('a deployer that is killed while it deploys', () => {
  test.each([
    ['intent_stored', RevisionState.FAILED, 'failed'],
    ['namespace_ready', RevisionState.FAILED, 'failed'],
    ['foundations_applied', RevisionState.APPLIED, 'applied'],
    ['workloads_applied', RevisionState.APPLIED, 'applied'],
    ['pruned', RevisionState.APPLIED, 'applied'],
    ['result_stored', RevisionState.APPLIED, 'applied'],
  ])('at %s is followed by one that brings it to an end', async (step, state, event) => {
    const name = `crash-${step.replaceAll('_', '-')}`
    const agent = agentOf(deployer, owner, name)
    await agent.register()
    expect(await outcomeOf(agentOf(await crashingAt(step), owner, name).deploy())).not.toBe('won')
    await waitFor(async () => (await agent.revisions())[0]?.state === state, {
      what: `revision 1 to be ${event}`,
      timeoutMs: HEALED_MS,
    })
    expect(await eventsOf(name)).toEqual(['requested', event])
    const again = await agent.deploy(CREDENTIALS)
    expect(again).toMatchObject({ status: DeployStatus.SUCCESS, revision: event === 'failed' ? 2 : 1 })
    expect(await agent.deploy({})).toMatchObject({ status: DeployStatus.SUCCESS })
    expect(statusesOf(await agent.deploy({})).size).toBe(1)
  })

  test('keeps what was live when the new revision never reached the cluster', async () => {
    const name = 'crash-live'
    const agent = agentOf(deployer, owner, name)
    await agent.register()
    await agent.deploy()
    const crashing = agentOf(await crashingAt('intent_stored'), owner, name)
    expect(await outcomeOf(crashing.deploy({ API_TOKEN: 'second-secret-value' }))).not.toBe('won')
    await waitFor(async () => (await agent.revisions())[0]?.state === RevisionState.FAILED, {
      what: 'revision 2 to fail',
      timeoutMs: HEALED_MS,
    })
    expect(await agent.get()).toMatchObject({ revision: 1 })
    expect(await eventsOf(name)).toEqual(['requested', 'applied', 'requested', 'failed'])
    expect(await agent.deploy({ API_TOKEN: 'second-secret-value' })).toMatchObject({ revision: 3, errors: [] })
  })
})

describe('a deployer that is killed while it undeploys', () => {
  test.each(['undeploy_stored', 'namespace_deleted'])('at %s is followed by one that finishes', async (step) => {
    const name = `crash-${step.replaceAll('_', '-')}`
    const agent = agentOf(deployer, owner, name)
    await agent.register()
    await agent.deploy()
    expect(await outcomeOf(agentOf(await crashingAt(step), owner, name).undeploy())).not.toBe('won')
    await waitFor(async () => (await outcomeOf(agent.get())) === 'deployment_not_found', {
      what: 'the deployment to be gone',
      timeoutMs: HEALED_MS,
    })
    expect(await eventsOf(name)).toEqual(['requested', 'applied', 'undeploy_requested', 'undeployed'])
    expect(await agent.deploy()).toMatchObject({ status: DeployStatus.SUCCESS, revision: 1 })
  })
})
