import { DeployStatus, ResourceStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { rounds, waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { DEPLOYMENT_LABEL } from '../src/domain/labels.ts'
import { listObjects, readObject } from '../src/kubernetes/read.ts'
import { agentOf, statusesOf } from './support/agents.ts'
import { outcomeOf, startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'

const ROUNDS = rounds(4)
const AT_ONCE = 10

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  deploy: ['won', 'namespace_terminating', 'deployment_busy'],
  undeploy: ['won', 'deployment_not_found', 'deployment_busy'],
  rollback: [
    'won',
    'deployment_not_found',
    'revision_not_found',
    'revision_not_restorable',
    'deployment_busy',
  ],
}

let deployer: TestDeployer
let other: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer({ TERMINATING_WAIT_MS: '2000' })
  other = { ...deployer, ...deployer.clientsOf(await deployer.startReplica()) }
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

/** Pseudo-random numbers that depend only on `seed`, so that a failed round can be repeated. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

test(
  'concurrent deploys, undeploys and rollbacks on two replicas leave a consistent state',
  { timeout: ROUNDS * 90_000 },
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const random = randomOf(round + 1)
      const name = `race-${round}`
      const agent = agentOf(deployer, owner, name)
      await agent.register()
      if (random() < 0.7) await agent.deploy()
      const operations = Array.from({ length: AT_ONCE }, (_, index) => {
        const through = agentOf(index % 2 === 0 ? deployer : other, owner, name)
        const dice = random()
        if (dice < 0.5)
          return {
            kind: 'deploy',
            run: () => through.deploy({ API_TOKEN: `secret-value-${Math.floor(random() * 3)}` }),
          }
        if (dice < 0.8) return { kind: 'undeploy', run: () => through.undeploy() }
        return { kind: 'rollback', run: () => through.rollback({ revision: 1 }) }
      })
      const before = await countRows(name)
      const outcomes = await Promise.all(
        operations.map(async ({ kind, run }) => ({ kind, outcome: await outcomeOf(run()) })),
      )
      for (const { kind, outcome } of outcomes)
        expect(ALLOWED[kind], `${kind} in round ${round}`).toContain(outcome)
      // Only successful undeploys end deployments, each exactly one.
      const won = (wanted: string) =>
        outcomes.filter(({ kind, outcome }) => kind === wanted && outcome === 'won').length
      const after = await countRows(name)
      expect(after.undeployed - before.undeployed).toBe(won('undeploy'))
      // Only successful deploys create deployments.
      expect(after.all - before.all).toBeLessThanOrEqual(won('deploy'))
      expect(after.live).toBe(before.live + (after.all - before.all) - won('undeploy'))
      await expectConsistent(name)
      // The node has no room for the pods of many rounds.
      expect(['won', 'deployment_not_found']).toContain(
        await outcomeOf(agentOf(deployer, owner, name).undeploy()),
      )
    }
  },
)

test('creates one revision for many identical concurrent deploys', async () => {
  // The last deploy waits for nineteen others.
  const patient = await deployer.startReplica({}, { LOCK_WAIT_MS: '200000' })
  const agent = agentOf({ ...deployer, ...deployer.clientsOf(patient) }, owner, 'crowded')
  await agent.register()
  const answers = await Promise.all(Array.from({ length: 20 }, () => agent.deploy()))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([DeployStatus.SUCCESS]))
  expect(answers.filter((answer) => statusesOf(answer).has(ResourceStatus.CREATED))).toHaveLength(1)
  expect(await agent.revisions()).toHaveLength(1)
})

async function countRows(name: string): Promise<{ all: number; undeployed: number; live: number }> {
  const rows = await deployer.db
    .selectFrom('deployment')
    .select('undeploy_time')
    .where('agent', '=', name)
    .execute()
  const undeployed = rows.filter(({ undeploy_time: time }) => time !== null).length
  return { all: rows.length, undeployed, live: rows.length - undeployed }
}

/** Expects the cluster to have what the database contains. */
async function expectConsistent(name: string): Promise<void> {
  const rows = await deployer.db
    .selectFrom('deployment')
    .selectAll()
    .where('agent', '=', name)
    .execute()
  const live = rows.filter(({ undeploy_time: time }) => time === null)
  expect(live.length).toBeLessThanOrEqual(1)
  await expectNoOrphans(name, live[0]?.k8s_namespace)
  const namespace = (live[0] ?? rows[0])?.k8s_namespace
  if (namespace === undefined) return
  const key = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: namespace }
  if (live[0] === undefined) {
    await waitFor(async () => (await readObject(deployer.cluster, key)) === undefined, {
      what: `the namespace ${namespace} to go`,
      timeoutMs: 300_000,
    })
    return
  }
  const { id, attempt_id: attempt, live_revision: revision } = live[0]
  expect(attempt).toBeNull()
  const found = await readObject(deployer.cluster, key)
  expect(found?.metadata.labels?.[DEPLOYMENT_LABEL]).toBe(id)
  expect(found?.metadata.deletionTimestamp).toBeUndefined()
  const states = await deployer.db
    .selectFrom('revision')
    .select(['revision', 'state'])
    .where('deployment_id', '=', id)
    .execute()
  for (const row of states)
    expect(row.state).toBe(row.revision === revision ? 'applied' : 'superseded')
  const objects = await deployer.db
    .selectFrom('cluster_object')
    .selectAll()
    .where('deployment_id', '=', id)
    .execute()
  const inCluster = await Promise.all(
    objects.map(async ({ api_version: apiVersion, kind, name: object }) => {
      const seen = await readObject(deployer.cluster, { apiVersion, kind, namespace, name: object })
      return { kind, object, uid: seen?.metadata.uid }
    }),
  )
  expect(inCluster).toEqual(objects.map(({ kind, name: object, uid }) => ({ kind, object, uid })))
}

/** Expects no namespace with the agent's labels except the live deployment's. */
async function expectNoOrphans(agent: string, namespace: string | undefined): Promise<void> {
  const labels = { 'slipway.dev/account-id': owner.accountId, 'slipway.dev/agent': agent }
  const { items } = await listObjects(deployer.cluster, {
    apiVersion: 'v1',
    kind: 'Namespace',
    namespace: '',
    labels,
  })
  const staying = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  expect(staying.map(({ metadata }) => metadata.name)).toEqual(
    namespace === undefined ? [] : [namespace],
  )
}
