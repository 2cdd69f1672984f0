import { DeployStatus, ResourceStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { withAdvisoryLock } from '@slipway/shared/db'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { deleteObject } from '../src/kubernetes/delete.ts'
import { readObject } from '../src/kubernetes/read.ts'
import { lockKey } from '../src/operations/lock.ts'
import { refuse, untilRefused } from './support/admission.ts'
import { agentOf, failure } from './support/agents.ts'
import { outcomeOf, startTestDeployer, type TestDeployer } from './support/deployer.ts'

let deployer: TestDeployer
/** Another replica, which doesn't wait for locks or namespaces. */
let impatient: TestDeployer
beforeAll(async () => {
  deployer = await startTestDeployer({ TERMINATING_WAIT_MS: '0', LOCK_WAIT_MS: '0' })
  impatient = deployer
  const patient = await deployer.startReplica(
    {},
    { TERMINATING_WAIT_MS: '200000', LOCK_WAIT_MS: '200000' },
  )
  deployer = { ...deployer, ...deployer.clientsOf(patient) }
})
afterAll(async () => {
  await impatient[Symbol.asyncDispose]()
})

const keyOf = (namespace: string) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  namespace: '',
  name: namespace,
})
/** Registers an agent of a user whom no other test has. */
const registered = async (name: string) => {
  const owner = await deployer.signIn(name)
  const agent = agentOf(deployer, owner, name)
  await agent.register()
  return { agent, owner, elsewhere: agentOf(impatient, owner, name) }
}

/** Prevents a namespace from being deleted until it is disposed of. */
async function hold(namespace: string): Promise<AsyncDisposable> {
  const path = `/api/v1/namespaces/${namespace}/configmaps`
  const body = { metadata: { name: 'held', finalizers: ['test.slipway.dev/held'] } }
  await deployer.cluster.send({ method: 'POST', path, body })
  const contentType = 'application/merge-patch+json'
  const release = {
    method: 'PATCH',
    path: `${path}/held`,
    contentType,
    body: { metadata: { finalizers: null } },
  } as const
  return {
    async [Symbol.asyncDispose]() {
      await deployer.cluster.send(release)
    },
  }
}

/** Expects the deployment to be gone, and its namespace soon. */
async function expectGone(agent: ReturnType<typeof agentOf>, namespace: string): Promise<void> {
  const calls = [agent.get(), agent.revisions(), agent.rollback(), agent.rotate(), agent.undeploy()]
  const outcomes = await Promise.all(calls.map((call) => outcomeOf(call)))
  expect(new Set(outcomes)).toEqual(new Set(['deployment_not_found']))
  await waitFor(async () => (await readObject(deployer.cluster, keyOf(namespace))) === undefined, {
    what: 'the namespace to go',
  })
}

// Each test waits for namespaces, which Kubernetes removes after five seconds.
describe.concurrent('an undeploy', () => {
  test('of an agent that was never deployed returns not found', async () => {
    const { agent, owner } = await registered('never')
    expect(await outcomeOf(agent.undeploy())).toBe('deployment_not_found')
    expect(await outcomeOf(agentOf(deployer, owner, 'nothing').undeploy())).toBe(
      'deployment_not_found',
    )
  })

  test('of a partly rejected deployment removes the rest', async () => {
    const { agent, owner } = await registered('undeploy-partial')
    const rule = {
      name: `refuse-half-${owner.accountId}`,
      resources: ['deployments'],
      objectSelector: { matchLabels: { 'slipway.dev/account-id': owner.accountId } },
      expression: `object.metadata.labels['slipway.dev/agent'] != 'undeploy-partial'`,
    }
    await using _ = await refuse(deployer.cluster, rule)
    const labels = {
      'slipway.dev/account-id': owner.accountId,
      'slipway.dev/agent': 'undeploy-partial',
    }
    const template = {
      metadata: { labels: { a: 'b' } },
      spec: { containers: [{ name: 'a', image: 'a' }] },
    }
    await untilRefused(
      deployer.cluster,
      '/apis/apps/v1/namespaces/default/deployments?dryRun=All',
      {
        metadata: { name: 'probe', labels },
        spec: { selector: { matchLabels: { a: 'b' } }, template },
      },
    )
    const half = await agent.deploy()
    expect(half.status).toBe(DeployStatus.PARTIAL)
    expect(half.resources.some(({ status }) => status === ResourceStatus.FAILED)).toBe(true)
    expect(await agent.undeploy()).toMatchObject({ buildId: 'b1', k8sNamespace: half.k8sNamespace })
    await expectGone(agent, half.k8sNamespace)
  })

  test('succeeds when the namespace is gone or terminating', async () => {
    const { agent } = await registered('undeploy-vanished')
    const { k8sNamespace } = await agent.deploy()
    await deleteObject(deployer.cluster, keyOf(k8sNamespace))
    expect(await outcomeOf(agent.undeploy())).toBe('won')
    await expectGone(agent, k8sNamespace)
    await agent.deploy()
    await deleteObject(deployer.cluster, keyOf(k8sNamespace))
    await waitFor(
      async () => (await readObject(deployer.cluster, keyOf(k8sNamespace))) === undefined,
      {
        what: 'the namespace to go',
      },
    )
    expect(await outcomeOf(agent.undeploy())).toBe('won')
    await expectGone(agent, k8sNamespace)
  })

  test('waits for a running deploy; of several concurrent ones, one succeeds', async () => {
    const { agent } = await registered('undeploy-crowded')
    await agent.deploy()
    const [deployed, removed] = await Promise.all([
      outcomeOf(agent.deploy({ API_TOKEN: 'second-secret-value' })),
      outcomeOf(agent.undeploy()),
    ])
    expect([deployed, removed]).toEqual(['won', 'won'])
    await agent.deploy()
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => outcomeOf(agent.undeploy())))
    expect(outcomes.toSorted()).toEqual([
      ...Array.from({ length: 4 }, () => 'deployment_not_found'),
      'won',
    ])
  })

  test('makes the next deploy wait for the namespace, or fail with a retry time', async () => {
    const { agent, elsewhere } = await registered('undeploy-again')
    const first = await agent.deploy()
    {
      await using _ = await hold(first.k8sNamespace)
      await agent.undeploy()
      // The reconciler may hold the lock for a moment, to find the undeploy finished.
      const refused = await waitFor(
        async () => {
          const error = await failure(elsewhere.deploy())
          return error.reason === 'deployment_busy' ? undefined : error
        },
        { what: 'the lock of the agent to be free' },
      )
      expect(refused).toMatchObject({ reason: 'namespace_terminating', retryAfterMs: 5_000 })
      expect(await outcomeOf(agent.get())).toBe('deployment_not_found')
    }
    const second = await agent.deploy()
    expect(second).toMatchObject({
      status: DeployStatus.SUCCESS,
      revision: 1,
      k8sNamespace: first.k8sNamespace,
    })
    expect(second.resources.every(({ status }) => status === ResourceStatus.CREATED)).toBe(true)
  })

  test('is finished in the background without the lock of the agent', async () => {
    const { agent, owner } = await registered('undeploy-watched')
    const { k8sNamespace } = await agent.deploy()
    const goneTime = async () => {
      const query = deployer.db
        .selectFrom('deployment')
        .select('namespace_gone_time')
        .where('agent', '=', agent.name)
      return (await query.executeTakeFirstOrThrow()).namespace_gone_time
    }
    const key = lockKey({ accountId: owner.accountId, agent: agent.name })
    const held = await hold(k8sNamespace)
    await agent.undeploy()
    const outcome = await withAdvisoryLock(deployer.db, key, { tryForMs: 10_000 }, async () => {
      await held[Symbol.asyncDispose]()
      await waitFor(async () => (await goneTime()) !== null, {
        what: 'the namespace to be recorded as gone',
      })
    })
    expect(outcome.acquired).toBe(true)
  })

  test('fails without waiting while the agent is being deployed', async () => {
    const { agent, elsewhere } = await registered('undeploy-busy')
    const { k8sNamespace } = await agent.deploy()
    let deploying
    {
      await using _ = await hold(k8sNamespace)
      await agent.undeploy()
      // Holds the lock and waits for the namespace.
      deploying = agent.deploy()
      const refused = await waitFor(
        async () => {
          const error = await failure(elsewhere.deploy())
          return error.reason === 'deployment_busy' ? error : undefined
        },
        { what: 'the other deploy to have the lock' },
      )
      expect(refused.retryAfterMs).toBe(5_000)
      const others = [elsewhere.undeploy(), elsewhere.rollback(), elsewhere.rotate()]
      for (const error of await Promise.all(others.map((call) => failure(call)))) {
        expect(error).toMatchObject({ reason: 'deployment_busy', retryAfterMs: 5_000 })
      }
    }
    expect((await deploying).k8sNamespace).toBe(k8sNamespace)
  })
})
