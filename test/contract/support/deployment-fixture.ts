import { resolve } from 'node:path'

import { buildAndPushAgent } from '@slipway/agent-image'
import { waitFor } from '@slipway/testing'
import { parseDocument } from 'yaml'

import { cluster, find, readyPods } from '../../support/cluster.ts'
import { fromStack } from '../../support/environment.ts'
import { API_TOKEN } from '../../support/support-agent.ts'
import { freshName } from '../cases/case.ts'
import { ask, makeWorld, type World } from './catalog-fixture.ts'

/** A world whose account has deployments. */
export interface DeploymentWorld extends World, AsyncDisposable {
  /** An agent that runs in its third revision, with a manual and a scheduled ingestion. */
  readonly running: string
  readonly namespace: string
  /** A pod of `running`'s agent. */
  readonly pod: string
  /** The config map of `running`'s agent. */
  readonly configMap: string
  /** A run of `running`'s manual ingestion, which has been canceled. */
  readonly run: string
  /** An agent that is deployed and whose image can't be pulled. */
  readonly stuck: string
  readonly stuckNamespace: string
  readonly stuckPod: string
  /** The namespace of a deployment in the stranger's own account. */
  readonly foreignNamespace: string
  /** An agent that is registered and never deployed. */
  readonly fresh: string
}

/** Credentials of the running agent. */
export const CREDENTIALS = { SUPPORT_API_TOKEN: API_TOKEN }

const stuckSpec = (name: string) =>
  `spec: astro/v1\nname: ${name}\nagent: {image: "registry.invalid/no-such-image:1", port: 8080}\n`

/** Creates a world for one test file; disposing of it undeploys everything. */
export async function makeDeploymentWorld(): Promise<DeploymentWorld> {
  await using undeployed = new AsyncDisposableStack()
  const world = await makeWorld()
  const { account } = world
  const suffix = account.slice(-8)
  const [running, stuck, fresh] = [`running-${suffix}`, `stuck-${suffix}`, `fresh-${suffix}`]
  undeployed.defer(async () => {
    for (const name of [running, stuck, fresh])
      await ask('POST', '/undeploy', 'owner', { body: { account, name } })
  })
  await register(account, running, await runningSpec(running))
  for (const name of [stuck, fresh]) await register(account, name, stuckSpec(name))
  const target = {
    account,
    name: running,
    user_credentials: CREDENTIALS,
    schedules: { nightly: '0 3 * * *' },
  }
  // Three revisions: a live one, one to roll back to, and another one.
  const deployGreeted = (greeting: string) =>
    deploy({ ...target, overrides: { 'agent.environment.GREETED': greeting } })
  await deployGreeted('first')
  await deployGreeted('second')
  const { k8s_namespace: namespace, resources } = await deployGreeted('third')
  const foreignNamespace = await deployForStranger(suffix, undeployed)
  const { k8s_namespace: stuckNamespace } = await deploy({ account, name: stuck })
  await deploy({ account, name: stuck, overrides: { 'agent.environment.GREETED': 'second' } })
  await waitFor(
    async () =>
      (await ask('GET', `/agents/${account}/${running}/deployment`, 'owner')).body.state ===
      'ready',
    { what: 'the agent to run', timeoutMs: 200_000, intervalMs: 200 },
  )
  await waitFor(async () => (await readyPods(namespace)).length === 1, {
    what: 'the previous pods to go',
  })
  const [pod, stuckPod] = [await podOf(account, running), await podOf(account, stuck)]
  const runs = `/agents/${account}/${running}/deployment/ingestions/docs/runs`
  const run: string = (await ask('POST', runs, 'owner')).body.name
  await ask('POST', `${runs}/${run}/cancel`, 'owner')
  const configMap = resources.find(({ kind }: { kind: string }) => kind === 'ConfigMap').name
  const made = undeployed.move()
  return {
    ...world,
    running,
    namespace,
    pod,
    configMap,
    run,
    stuck,
    stuckNamespace,
    stuckPod,
    foreignNamespace,
    fresh,
    [Symbol.asyncDispose]: () => made.disposeAsync(),
  }
}

/** The name of the agent's first pod, from the API. */
export async function podOf(account: string, name: string): Promise<string> {
  return await waitFor(
    async () => {
      const { body } = await ask('GET', `/agents/${account}/${name}/deployment`, 'owner')
      const component = body.components.find(({ kind }: { kind: string }) => kind === 'agent')
      const pods: { name: string }[] = component?.pods ?? []
      for (const { name: pod } of pods) {
        const found = await find(podPath(body.k8s_namespace, pod))
        // The API lists a previous pod until it is deleted.
        if (found !== undefined && found.metadata.deletionTimestamp === undefined) return pod
      }
      // The cause of a timeout.
      throw new Error(`no pod in ${JSON.stringify(body)}`)
    },
    { what: `a pod of ${name}` },
  )
}

/** The path of a pod at the API server. */
export function podPath(namespace: string, pod: string): string {
  return `/api/v1/namespaces/${namespace}/pods/${pod}`
}

/** Adds a pod on an unreachable node, so that reading its log fails, until disposed of. */
export async function makeLostPod(
  namespace: string,
  like: string,
): Promise<AsyncDisposable & { name: string }> {
  const pod = (await cluster.call('GET', podPath(namespace, like))) as {
    metadata: { labels: object }
    spec: object
  }
  const name = `${like}-lost`
  const nodeName = freshName('unreachable')
  await cluster.call('POST', '/api/v1/nodes', {
    metadata: { name: nodeName },
    spec: { unschedulable: true },
    status: {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: 1 } },
    },
  })
  await cluster.call('POST', `/api/v1/namespaces/${namespace}/pods`, {
    metadata: { name, labels: { ...pod.metadata.labels, 'pod-template-hash': 'none' } },
    spec: { ...pod.spec, nodeName },
  })
  return {
    name,
    async [Symbol.asyncDispose]() {
      // No kubelet confirms its deletion.
      await cluster.call('DELETE', `${podPath(namespace, name)}?gracePeriodSeconds=0`)
      await cluster.call('DELETE', `/api/v1/nodes/${nodeName}`)
    },
  }
}

async function register(
  account: string,
  name: string,
  spec: string,
  caller: 'owner' | 'stranger' = 'owner',
) {
  const registry = `http://${fromStack('SLIPWAY_REGISTRY')}`
  const body = { build_id: 'b1', registry, spec_content: spec }
  const { status, text } = await ask('POST', `/agents/${account}/${name}/register`, caller, {
    body,
  })
  if (status !== 201) throw new Error(`register returned ${status}: ${text}`)
}

async function deploy(body: object, caller: 'owner' | 'stranger' = 'owner') {
  const answer = await ask('POST', '/deploy', caller, { body })
  if (answer.status !== 200) throw new Error(`deploy returned ${answer.status}: ${answer.text}`)
  return answer.body
}

async function deployForStranger(
  suffix: string,
  undeployed: AsyncDisposableStack,
): Promise<string> {
  const { body } = await ask('GET', '/me', 'stranger')
  const account: string = body.accounts.find(
    ({ type }: { type: string }) => type === 'personal',
  ).name
  const name = `foreign-${suffix}`
  await register(account, name, stuckSpec(name), 'stranger')
  undeployed.defer(async () => {
    await ask('POST', '/undeploy', 'stranger', { body: { account, name } })
  })
  return (await deploy({ account, name }, 'stranger')).k8s_namespace
}

async function runningSpec(name: string): Promise<string> {
  const directory = resolve(import.meta.dirname, '../../../examples/support-agent')
  const { spec } = await buildAndPushAgent(directory, {
    registry: fromStack('SLIPWAY_REGISTRY'),
    from: 'project',
  })
  const document = parseDocument(spec)
  document.set('name', name)
  const image: unknown = document.getIn(['ingestion', 'docs', 'container', 'image'])
  document.setIn(['ingestion', 'nightly'], { container: { image }, trigger: { type: 'schedule' } })
  return document.toString()
}
