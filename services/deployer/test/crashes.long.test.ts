import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { DeployStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { RevisionState } from '@slipway/proto/slipway/deployer/v1/revision'
import type { Event } from '@slipway/proto/slipway/events/v1/event'
import { connectNats, startDurableConsumer } from '@slipway/shared/events'
import { createLogger } from '@slipway/shared/logger'
import { childEnvironment, waitFor } from '@slipway/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { listEventsAfter } from '../src/db/outbox-events.ts'
import { agentOf, contentOf, CREDENTIALS, statusesOf } from './support/agents.ts'
import { outcomeOf, startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'

const SECOND = { API_TOKEN: 'second-secret-value' }

const open = new AsyncDisposableStack()
let deployer: TestDeployer
let owner: Person
/** The events that NATS has delivered, as `sequence event`, by deployment. */
const delivered = new Map<string, string[]>()
const children: ChildProcess[] = []
beforeAll(async () => {
  deployer = await startTestDeployer()
  open.use(deployer)
  owner = await deployer.signIn('owner')
  const logger = createLogger('test', 'silent')
  const nats = open.use(connectNats({ url: deployer.nats.url, name: 'crashes', logger }))
  const handle = async ({ aggregateId, sequence }: Event, { subject }: { subject: string }) => {
    const event = `${sequence} ${subject.split('.').at(-1)}`
    delivered.set(aggregateId, [...(delivered.get(aggregateId) ?? []), event])
  }
  open.use(
    startDurableConsumer({
      nats,
      logger,
      durable: 'crashes',
      filterSubjects: ['slipway.deployment.>'],
      handle,
    }),
  )
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(async () => {
  await open.disposeAsync()
})

/** Starts a deployer that is killed by SIGKILL at a step, and returns clients of it. */
async function crashingAt(step: string): Promise<TestDeployer> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('support/crashing-deployer.ts', import.meta.url))],
    {
      // Configured like the deployer that takes over.
      env: { ...childEnvironment(), ...deployer.env, CRASH_AT: step },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
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
  const stored = events.map(({ subject, sequence }) => `${sequence} ${subject.split('.').at(-1)}`)
  const isDelivered = () => stored.every((event) => delivered.get(id)?.includes(event))
  await waitFor(isDelivered, { what: `the events of ${name} to be delivered` })
  // Each at least once, and first deliveries in order.
  expect([...new Set(delivered.get(id))].slice(0, stored.length)).toEqual(stored)
  return stored
    .map((event) => event.split(' ')[1] ?? '')
    .filter((event) => event !== 'state_changed')
}

/** Waits until the reconciler has brought the newest revision to a state. */
async function untilState(agent: ReturnType<typeof agentOf>, state: RevisionState): Promise<void> {
  const isThere = async () => (await agent.revisions())[0]?.state === state
  await waitFor(isThere, { what: 'the reconciler to finish' })
}

/** Returns the token in the Secret that the agent's Deployment refers to. */
async function tokenInUse(
  agent: ReturnType<typeof agentOf>,
  namespace: string,
): Promise<string | undefined> {
  const deployments = JSON.stringify(await agent.list('Deployment', namespace))
  const secrets = await agent.list('Secret', namespace)
  const content = contentOf(secrets.filter(({ metadata: { name } }) => deployments.includes(name)))
  return content.find((line) => line.startsWith('API_TOKEN='))?.slice('API_TOKEN='.length)
}

describe('after a crash in a first deploy', () => {
  test.each([
    ['intent_stored', RevisionState.FAILED, 'failed'],
    ['namespace_ready', RevisionState.FAILED, 'failed'],
    ['foundations_applied', RevisionState.APPLIED, 'applied'],
    ['workloads_applied', RevisionState.APPLIED, 'applied'],
    ['pruned', RevisionState.APPLIED, 'applied'],
    ['result_stored', RevisionState.APPLIED, 'applied'],
  ])('at %s, the reconciler finishes or fails the revision', async (step, state, event) => {
    const name = `crash-${step.replaceAll('_', '-')}`
    const agent = agentOf(deployer, owner, name)
    await agent.register()
    expect(await outcomeOf(agentOf(await crashingAt(step), owner, name).deploy())).not.toBe('won')
    await untilState(agent, state)
    expect(await eventsOf(name)).toEqual(['requested', event])
    const again = await agent.deploy(CREDENTIALS)
    expect(again).toMatchObject({
      status: DeployStatus.SUCCESS,
      revision: event === 'failed' ? 2 : 1,
    })
    expect(await agent.deploy({})).toMatchObject({ status: DeployStatus.SUCCESS })
    expect(statusesOf(await agent.deploy({})).size).toBe(1)
  })
})

describe('after a crash in a later deploy', () => {
  test.each([
    ['intent_stored', RevisionState.FAILED],
    ['namespace_ready', RevisionState.FAILED],
    ['foundations_applied', RevisionState.APPLIED],
    ['workloads_applied', RevisionState.APPLIED],
    ['pruned', RevisionState.APPLIED],
  ])('at %s, the previous revision stays live or the new one is applied', async (step, state) => {
    const name = `crash-live-${step.replaceAll('_', '-')}`
    const agent = agentOf(deployer, owner, name)
    await agent.register()
    const { k8sNamespace: namespace } = await agent.deploy()
    const crashing = agentOf(await crashingAt(step), owner, name)
    expect(await outcomeOf(crashing.deploy(SECOND))).not.toBe('won')
    await untilState(agent, state)
    const isApplied = state === RevisionState.APPLIED
    expect(await agent.get()).toMatchObject({ revision: isApplied ? 2 : 1 })
    expect(await tokenInUse(agent, namespace)).toBe(
      isApplied ? SECOND.API_TOKEN : CREDENTIALS.API_TOKEN,
    )
    expect(await eventsOf(name)).toEqual([
      'requested',
      'applied',
      'requested',
      isApplied ? 'applied' : 'failed',
    ])
    expect(await agent.deploy(SECOND)).toMatchObject({ revision: isApplied ? 2 : 3, errors: [] })
    expect(statusesOf(await agent.deploy({})).size).toBe(1)
  })

  test('in a rollback, the reconciler finishes it', async () => {
    const name = 'crash-rollback'
    const agent = agentOf(deployer, owner, name)
    await agent.register()
    const { k8sNamespace: namespace } = await agent.deploy()
    await agent.deploy(SECOND)
    const crashing = agentOf(await crashingAt('foundations_applied'), owner, name)
    expect(await outcomeOf(crashing.rollback({ revision: 1 }))).not.toBe('won')
    await untilState(agent, RevisionState.APPLIED)
    expect((await agent.revisions())[0]).toMatchObject({ revision: 3, rolledBackTo: 1, live: true })
    expect(await tokenInUse(agent, namespace)).toBe(CREDENTIALS.API_TOKEN)
    expect(await eventsOf(name)).toEqual([
      'requested',
      'applied',
      'requested',
      'applied',
      'requested',
      'applied',
    ])
  })
})

describe('after a crash in an undeploy', () => {
  test.each(['undeploy_stored', 'namespace_deleted'])(
    'at %s, the reconciler finishes it',
    async (step) => {
      const name = `crash-${step.replaceAll('_', '-')}`
      const agent = agentOf(deployer, owner, name)
      await agent.register()
      await agent.deploy()
      expect(await outcomeOf(agentOf(await crashingAt(step), owner, name).undeploy())).not.toBe(
        'won',
      )
      await waitFor(async () => (await outcomeOf(agent.get())) === 'deployment_not_found', {
        what: 'the deployment to be gone',
      })
      expect(await eventsOf(name)).toEqual([
        'requested',
        'applied',
        'undeploy_requested',
        'undeployed',
      ])
      expect(await agent.deploy()).toMatchObject({ status: DeployStatus.SUCCESS, revision: 1 })
    },
  )
})
