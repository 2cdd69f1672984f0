import { resolve } from 'node:path'

import { buildAgentImage } from '@slipway/agent-image'
import type { ApiObject } from '@slipway/local/kubernetes/client'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { request } from '../support/api.ts'
import { cluster, find, list, readyPods, type Pod } from '../support/cluster.ts'
import { fromStack } from '../support/environment.ts'
import { createProbePod } from '../support/probe-pod.ts'
import { registerSupportAgent, undeploy, type RegisteredAgent } from '../support/support-agent.ts'

// What a pod of an agent reaches. One pod in the namespace of a deployed agent, where the
// deployer's policies apply to it, tries everything when it starts; a second one outside of all
// policies shows that the targets exist.

const OUTSIDE = 'e2e-network-policies'
const NODE = '10.240.0.1'
const INGEST = `${NODE}:4318`
const API_SERVER = [`${NODE}:6443`, '10.96.0.1:443']
const KUBELET = `${NODE}:10250`
const METADATA = '169.254.169.254:80'
const STORES = ['CATALOG_DATABASE_URL', 'NATS_URL'].map(
  (name) => `${NODE}:${new URL(fromStack(name)).port}`,
)
const REGISTRY = `${NODE}:5000`
// Nothing needs to listen there: refused by a policy, or by a machine, are different errors.
const CLICKHOUSE = `${NODE}:8123`
const RPC = ['CATALOG_GRPC', 'DEPLOYER_GRPC', 'OBSERVABILITY_GRPC'].map(
  (name) => `${NODE}:${fromStack(name).split(':').at(-1)}`,
)
const DNS = `${NODE}:53`
/** What a pod sees of a connection that no policy allows. */
const REFUSED = 'EHOSTUNREACH'

type AgentPod = Pod & {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> }
  readonly status: { readonly podIP: string }
}

type Service = ApiObject & { readonly spec: { readonly clusterIP: string } }

/** An agent that runs, and the addresses of its pod and its Service. */
interface RunningAgent {
  readonly namespace: string
  readonly pod: AgentPod
  readonly targets: readonly string[]
}

let agents: RegisteredAgent[]
let image: string
let own: RunningAgent
let other: RunningAgent
let seen: Record<string, string>

async function ended(pod: string): Promise<void> {
  const isDone = async () => /Succeeded|Failed/.test((await find<Pod>(pod))?.status.phase ?? '')
  await waitFor(isDone, { what: `${pod} to end` })
}

async function probe(namespace: string, targets: readonly string[], labels = {}) {
  const env = { TARGETS: targets.join(',') }
  const program = 'connect-probe.ts'
  const pod = await createProbePod({ namespace, name: 'probe', image, program, env, labels })
  await ended(pod)
  // The client parses text that starts like JSON.
  return (await cluster.call('GET', `${pod}/log`)) as Record<string, string>
}

beforeAll(async () => {
  const example = resolve(import.meta.dirname, '../../examples/support-agent')
  image = (await buildAgentImage(example, { registry: fromStack('SLIPWAY_REGISTRY') })).reference
  agents = [
    await registerSupportAgent('isolated-agent'),
    await registerSupportAgent('isolated-neighbor'),
  ]
  ;[own, other] = (await Promise.all(agents.map(deploy))) as [RunningAgent, RunningAgent]
  await cluster.call('POST', '/api/v1/namespaces', { metadata: { name: OUTSIDE } })
  await waitFor(
    async () => (await find(`/api/v1/namespaces/${OUTSIDE}/serviceaccounts/default`)) !== undefined,
    { what: 'the ServiceAccount' },
  )
  // The probe counts as a pod of the agent, but not as one that its Deployment has made.
  const { 'pod-template-hash': _, ...labels } = own.pod.metadata.labels
  const node = [KUBELET, ...STORES, CLICKHOUSE, ...RPC, REGISTRY, INGEST, DNS]
  const targets = [...API_SERVER, METADATA, ...node, ...own.targets, ...other.targets]
  seen = await probe(own.namespace, targets, labels)
})

afterAll(async () => {
  await cluster.call('DELETE', `/api/v1/namespaces/${OUTSIDE}`)
  await Promise.all(agents.map((agent) => undeploy(agent)))
})

test('a pod of an agent reaches DNS, the ingest endpoint and its own agent', () => {
  expect(seen).toMatchObject(allOk([INGEST, DNS, ...own.targets]))
})

test.each([
  ['the API server', API_SERVER],
  ['the kubelet', [KUBELET]],
  ['the stores of the platform', STORES],
  ['ClickHouse', [CLICKHOUSE]],
  ['the gRPC ports of the services', RPC],
  ['the registry', [REGISTRY]],
])('a pod of an agent does not reach %s', (_, targets) => {
  for (const target of targets) expect([target, seen[target]]).toEqual([target, REFUSED])
})

test('a pod of an agent does not reach metadata servers', () => {
  // A test run's network namespace may have no route to them.
  expect([REFUSED, 'ENETUNREACH']).toContain(seen[METADATA])
})

test('a pod of an agent does not reach another agent, by its pod or its Service', () => {
  for (const target of other.targets) expect([target, seen[target]]).toEqual([target, REFUSED])
})

test('a pod of another namespace does not reach the agent, but the rest', async () => {
  const outside = await probe(OUTSIDE, [...own.targets, ...API_SERVER, KUBELET])
  expect(outside).toEqual({
    ...Object.fromEntries(own.targets.map((target) => [target, REFUSED])),
    ...allOk([...API_SERVER, KUBELET]),
  })
})

test('a packet to all pods of the network reaches none of another namespace', async () => {
  const common = { image, program: 'datagram-probe.ts' }
  const listener = await createProbePod({
    ...common,
    namespace: OUTSIDE,
    name: 'listener',
    env: {},
  })
  const isRunning = async () => (await find<Pod>(listener))?.status.phase === 'Running'
  await waitFor(isRunning, { what: 'the listener' })
  const log = async () => String(await cluster.call('GET', `${listener}/log`))
  const said = async (text: string) =>
    await waitFor(async () => (await log()).includes(text), { what: text })
  await said('listening')
  const podIP = (await find<AgentPod>(listener))?.status.podIP ?? ''
  const send = async (from: string, targets: readonly string[]) => {
    const env = { NAME: from, TARGETS: targets.join(',') }
    await ended(await createProbePod({ ...common, namespace: from, name: 'sender', env }))
  }
  const ALL = ['224.0.0.1', '224.0.0.251', '255.255.255.255', '10.244.0.255']
  await send(own.namespace, [...ALL, podIP])
  await send(OUTSIDE, [...ALL, podIP])
  await said(`to ${podIP}`)
  expect(await log()).toBe(`listening\n${OUTSIDE} to ${podIP}\n`)
})

async function deploy(agent: RegisteredAgent): Promise<RunningAgent> {
  const deployed = await request('POST', '/deploy?wait=120', {
    as: 'alice',
    body: {
      account: agent.account,
      name: agent.name,
      user_credentials: { SUPPORT_API_TOKEN: 'token' },
    },
  })
  expect(deployed.status).toBe(200)
  const namespace: string = deployed.body.k8s_namespace
  const [pod] = (await readyPods(namespace)) as AgentPod[]
  if (pod === undefined) throw new Error(`no pod of ${agent.name} is ready`)
  const services = await list<Service>(`/api/v1/namespaces/${namespace}/services`)
  expect(services).not.toEqual([])
  const hosts = [pod.status.podIP, ...services.map(({ spec }) => spec.clusterIP)]
  return { namespace, pod, targets: hosts.map((host) => `${host}:8080`) }
}

function allOk(targets: readonly string[]): Record<string, string> {
  return Object.fromEntries(targets.map((target) => [target, 'ok']))
}
