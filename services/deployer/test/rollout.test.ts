import { DeployStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { DeploymentState } from '@slipway/proto/slipway/deployer/v1/deployment'
import { waitFor } from '@slipway/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { agentOf, CALL_MS, ROLLOUT_SECONDS } from './support/agents.ts'
import { outcomeOf, startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'
import { pauseImage } from './support/pause-image.ts'
import { allowNo } from './support/quotas.ts'

let image: string
let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer()
  owner = await deployer.signIn('owner')
  image = await pauseImage(deployer.cluster)
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

const specOf = (agentImage: string, more = '') =>
  `spec: astro/v1\nname: pods\nagent: {image: "${agentImage}"}\n${more}`

const deployWait = (agent: ReturnType<typeof agentOf>) => agent.deploy({}, {}, ROLLOUT_SECONDS)

describe('a rollout', () => {
  test('is waited for and fails with the pods’ reason; a rollback repairs it', async () => {
    const agent = agentOf(deployer, owner, 'rollout')
    await agent.register('good', specOf(image))
    const good = await deployWait(agent)
    expect(good).toMatchObject({
      status: DeployStatus.SUCCESS,
      errors: [],
      rollout: {
        state: DeploymentState.READY,
        components: [{ name: 'agent', state: DeploymentState.READY }],
      },
    })
    expect(await agent.get()).toMatchObject({ state: DeploymentState.READY })
    // Pods and Deployments have separate watches, so the pod may become visible later.
    const pods = async () => (await agent.get())?.components[0]?.pods
    await waitFor(async () => (await pods())?.[0]?.ready, { what: 'the pod to be ready' })
    expect(await pods()).toMatchObject([{ phase: 'Running', ready: true }])

    await agent.register('bad', specOf('registry.invalid/no-such-image:1'))
    const bad = await deployWait(agent)
    expect(bad).toMatchObject({
      status: DeployStatus.PARTIAL,
      errors: [
        expect.stringMatching(/^agent: (ErrImagePull|ImagePullBackOff): the (registry|image) /),
      ],
      rollout: { state: DeploymentState.FAILED },
    })
    // The pod of the earlier revision stays until the new one is ready.
    const formers = await waitFor(
      async () => {
        const seen = await pods()
        return seen?.length === 2 ? seen.filter(({ former }) => former) : undefined
      },
      { what: 'the pods of both revisions' },
    )
    expect(formers).toMatchObject([{ ready: true }])
    const { result: back } = await deployer.deployments.rollback(
      { account: owner.account, name: agent.name, wait: { seconds: BigInt(ROLLOUT_SECONDS) } },
      { ...owner.options, timeoutMs: CALL_MS },
    )
    expect(back).toMatchObject({ status: DeployStatus.SUCCESS, buildId: 'good' })
    expect(await agent.revisions()).toMatchObject([
      { revision: 3, reason: '' },
      { revision: 2, reason: expect.stringMatching(/^(ErrImagePull|ImagePullBackOff): the /) },
      { revision: 1, reason: '' },
    ])
  })

  test('that cannot pull its image can be undeployed', async () => {
    const agent = agentOf(deployer, owner, 'unpullable')
    await agent.register('bad', specOf('registry.invalid/no-such-image:1'))
    await deployWait(agent)
    expect(await agent.undeploy()).toMatchObject({ name: 'unpullable' })
    expect(await outcomeOf(agent.get())).toBe('deployment_not_found')
  })

  test('becomes ready with volumes, tools and Jobs', async () => {
    const agent = agentOf(deployer, owner, 'several')
    const more = `knowledge:
  store: {container: {image: "${image}", persistent: true, volume: /data}, persistent: true}
tools:
  helper: {container: {image: "${image}"}}
ingestion:
  seed: {container: {image: "${image}"}, trigger: {type: startup}}
  docs: {container: {image: "${image}"}, trigger: {type: manual}}
`
    await agent.register('b1', specOf(image, more))
    const answer = await deployWait(agent)
    expect(answer.errors).toEqual([])
    expect(answer.rollout?.components.map(({ name, state }) => [name, state])).toEqual([
      ['agent', DeploymentState.READY],
      ['ingestion-docs', DeploymentState.READY],
      ['ingestion-seed', DeploymentState.READY],
      ['knowledge-store', DeploymentState.READY],
      ['tool-helper', DeploymentState.READY],
    ])
    const [claim] = await agent.list('PersistentVolumeClaim', answer.k8sNamespace)
    expect(claim?.status).toMatchObject({ phase: 'Bound' })
  })
})

describe('a ready deployment', () => {
  /** Returns the states of a ready agent while `act` runs, until it is ready again. */
  async function statesDuring(
    agent: ReturnType<typeof agentOf>,
    act: (seen: readonly DeploymentState[]) => Promise<unknown>,
  ): Promise<DeploymentState[]> {
    const ended = new AbortController()
    const states: DeploymentState[] = []
    const reading = (async () => {
      for await (const { state } of agent.watch(ended.signal)) if (state !== 0) states.push(state)
    })()
    await waitFor(() => states.length > 0, { what: 'the first state' })
    await act(states)
    await waitFor(() => states.length > 1 && states.at(-1) === DeploymentState.READY, {
      what: 'the agent to be ready again',
    })
    ended.abort()
    await reading.catch(() => {})
    return states
  }

  test('is degraded while a pod is missing', async () => {
    const agent = agentOf(deployer, owner, 'degraded')
    await agent.register('b1', specOf(image))
    const { k8sNamespace: namespace } = await deployWait(agent)
    const pod = await agent.podName()
    // The quota delays the next pod, so that even a slow state watcher sees that one is missing.
    const allow = await allowNo(deployer.cluster, 'pods', namespace)
    const states = await statesDuring(agent, async (seen) => {
      await deployer.workloads.restartPod({ account: owner.account, namespace, pod }, owner.options)
      await waitFor(() => seen.length > 1, { what: 'the missing pod to be noticed' })
      await allow()
    })
    expect(states).toEqual([DeploymentState.READY, DeploymentState.DEGRADED, DeploymentState.READY])
  })

  test('is not degraded while a rotation of its token replaces its pod', async () => {
    const agent = agentOf(deployer, owner, 'rolled')
    await agent.register('b1', specOf(image))
    await deployWait(agent)
    // The rotation's own event covers the time in between.
    const states = await statesDuring(agent, () => agent.rotate())
    expect(states).toEqual([DeploymentState.READY, DeploymentState.READY])
    // Then the former pod has a minute to end.
    const { rows } = await sql<{ minutes: number; ends_when_ready: boolean }>`
      SELECT ceil(extract(epoch FROM expire_time - now()) / 60)::int AS minutes, ends_when_ready
        FROM former_ingest_token JOIN deployment ON deployment.id = deployment_id
       WHERE agent = 'rolled'`.execute(deployer.db)
    expect(rows).toEqual([{ minutes: 1, ends_when_ready: false }])
  })
})
