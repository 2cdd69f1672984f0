import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { describe, expect, test } from 'vitest'

import { Network } from './support/network.ts'
import { podsOf, selects, servicesOf, type Pod } from './support/objects.ts'
import { example, EXAMPLES, RELEASE, render } from './support/render.ts'

const SERVICES = ['catalog', 'deployer', 'observability', 'gateway']

// Pods that the chart doesn't make.
const agent = outside('agent', {
  'app.kubernetes.io/managed-by': 'slipway',
  'slipway.dev/release': 'platform-acme-slipway-8f2a9a04',
})
const foreignAgent = outside('foreign-agent', {
  'app.kubernetes.io/managed-by': 'slipway',
  'slipway.dev/release': 'team-slipway',
})
const stranger = outside('stranger', { 'kubernetes.io/metadata.name': 'default' })
const prometheus = outside('prometheus', { 'kubernetes.io/metadata.name': 'monitoring' })

function outside(component: string, namespaceLabels: Pod['namespaceLabels']): Pod {
  const none = { containers: [], initContainers: [], volumes: [] }
  return { component, labels: {}, namespaceLabels, ...none }
}

/** All allowed connections to the services, as `gateway → catalog:connect`. */
async function connections(
  values: string,
  sets: readonly string[] = [],
  others: readonly Pod[] = [agent, foreignAgent, stranger],
): Promise<string[]> {
  const objects = await render([example(values)], sets)
  const pods = podsOf(objects, RELEASE.namespace)
  const network = new Network(objects, RELEASE.namespace)
  const targets = pods.filter(({ component }) => SERVICES.includes(component))
  const found = [...pods, ...others].flatMap((from) =>
    targets.flatMap((to) =>
      to.containers
        .flatMap(({ ports }) => ports ?? [])
        .filter(({ name }) => from !== to && network.allows(from, to, name))
        .map(({ name }) => `${from.component} → ${to.component}:${name}`),
    ),
  )
  return found.toSorted()
}

// docs/guide/operate.md describes the same connections.
const NEEDED = [
  'agent → observability:otlp-grpc',
  'agent → observability:otlp-http',
  'deployer → catalog:connect',
  'gateway → catalog:connect',
  'gateway → deployer:grpc',
  'gateway → observability:grpc',
  'observability → catalog:connect',
  'observability → deployer:grpc',
  'test → catalog:operations',
  'test → deployer:operations',
  'test → gateway:http',
  'test → gateway:operations',
  'test → observability:operations',
]

/** The examples with an Ingress name its controller as the only peer. */
const ANYONE = 'networkPolicy.gatewayPeers=null'

describe('the network policies', () => {
  test.each(EXAMPLES)('of %s allow these connections and no others', async (name) => {
    const pods = podsOf(await render([example(name)]), RELEASE.namespace)
    const anyone = [...pods, agent, foreignAgent, stranger]
      .map(({ component }) => component)
      .filter((component) => component !== 'gateway' && component !== 'test')
      .map((component) => `${component} → gateway:http`)
    const open = await connections(name, [ANYONE])
    expect(open).toEqual([...NEEDED, ...anyone].toSorted())
  })

  test('allow only the named peers and the test to call the REST API', async () => {
    const peer = 'networkPolicy.gatewayPeers[0].namespaceSelector.matchLabels'
    const sets = [String.raw`${peer}.kubernetes\.io/metadata\.name=default`]
    expect(await connections('one-node', sets)).toEqual(
      [...NEEDED, 'stranger → gateway:http'].toSorted(),
    )
    expect(await connections('one-node')).toEqual(NEEDED)
    expect(await connections('high-availability')).toEqual(NEEDED)
  })

  test('allow Prometheus to read the metrics and nothing else', async () => {
    const others = [prometheus]
    const all = await connections('high-availability', [], others)
    expect(all.filter((connection) => connection.startsWith('prometheus'))).toEqual([
      'prometheus → catalog:operations',
      'prometheus → deployer:operations',
      'prometheus → gateway:operations',
      'prometheus → observability:operations',
    ])
  })

  test('are described in docs/guide/operate.md', async () => {
    const guide = await readFile(resolve(import.meta.dirname, '../../../docs/guide/operate.md'))
    const documented = /\| from \| to \| port \|\n([^]+?)\n\n/.exec(guide.toString())?.[1] ?? ''
    const rows = documented.split('\n').slice(1)
    const expected = rows.flatMap((row) => {
      const [, from = '', to = '', ports = ''] = row.split('|').map((cell) => cell.trim())
      const targets = to === 'all services' ? SERVICES : [to]
      const names = ports.split(', ').map((port) => port.split(' ')[0])
      return callersIn(from).flatMap((caller) =>
        targets.flatMap((target) => names.map((name) => `${caller} → ${target}:${name}`)),
      )
    })
    const all = await connections('high-availability', [ANYONE], [agent, stranger, prometheus])
    // Anyone may call the gateway; one caller stands for all.
    const found = all.filter(
      (each) => !each.endsWith('gateway:http') || /^(stranger|test)/.test(each),
    )
    expect(found).toEqual(expected.toSorted())
  })

  test('allow everything when they are off', async () => {
    const all = await connections('one-node', ['networkPolicy.enabled=false'])
    expect(all).toContain('stranger → catalog:grpc')
  })
})

/** The callers that a cell of the guide's table names. */
function callersIn(cell: string): string[] {
  const names: readonly (readonly [text: string, caller: string])[] = [
    ['anyone', stranger.component],
    ['helm test', 'test'],
    ['agents', agent.component],
    ['monitoringPeers', prometheus.component],
    ...SERVICES.map(
      (service) => [new RegExp(`(^|, )${service}`).exec(cell)?.[0] ?? '–', service] as const,
    ),
  ]
  return names.filter(([text]) => cell.includes(text)).map(([, caller]) => caller)
}

const LIMITED_EGRESS = [
  'networkPolicy.egress.enabled=true',
  'networkPolicy.egress.peers[0].ipBlock.cidr=203.0.113.0/24',
]

/** What `helm test` tries, because the policies close it to the test's pod. */
const CLOSED = 'RPC_ADDRESSES'

describe.each(EXAMPLES)('with the values of %s', (name) => {
  test.each([
    ['', []],
    [', also with limited egress', LIMITED_EGRESS],
  ])('each address names a Service whose pods accept the caller%s', async (_also, sets) => {
    const objects = await render([example(name)], sets)
    const pods = podsOf(objects, RELEASE.namespace)
    const services = servicesOf(objects)
    const network = new Network(objects, RELEASE.namespace)

    const problems = addressesIn(pods).flatMap(({ caller, variable, host, port }) => {
      const target = `${caller.component}: ${variable}=${host}:${port}`
      const service = services.find((each) => `${each.name}.${RELEASE.namespace}.svc` === host)
      const servicePort = service?.ports.find((each) => each.port === port)
      if (service === undefined || servicePort === undefined) return `${target}: no such Service`
      const served = pods.filter(({ labels }) => selects(service.selector, labels))
      if (served.length !== 1) return `${target}: the Service selects ${served.length} workloads`
      const isAllowed = served.every((to) => network.allows(caller, to, servicePort.targetPort))
      if (isAllowed === (variable !== CLOSED)) return []
      return `${target}: is ${isAllowed ? 'allowed' : 'refused'}`
    })
    expect(problems).toEqual([])
  })

  test('the services know the addresses that they need', async () => {
    const pods = podsOf(await render([example(name)]), RELEASE.namespace)
    const inside = addressesIn(pods)
      .filter(({ variable }) => variable.endsWith('_ADDRESS'))
      .map(({ caller, variable }) => `${caller.component} ${variable}`)
    expect([...new Set(inside)].toSorted()).toEqual([
      'deployer CATALOG_ADDRESS',
      'gateway CATALOG_ADDRESS',
      'gateway DEPLOYER_ADDRESS',
      'gateway OBSERVABILITY_ADDRESS',
      'observability CATALOG_ADDRESS',
      'observability DEPLOYER_ADDRESS',
    ])
  })

  test('each port of a Service is a port of its pods', async () => {
    const objects = await render([example(name)])
    const pods = podsOf(objects, RELEASE.namespace)
    for (const { selector, ports } of servicesOf(objects)) {
      const served = pods.find(({ labels }) => selects(selector, labels))
      const names = served?.containers.flatMap((container) =>
        (container.ports ?? []).map((port) => port.name),
      )
      for (const { targetPort } of ports) expect(names).toContain(targetPort)
    }
  })
})

interface Address {
  readonly caller: Pod
  readonly variable: string
  readonly host: string
  readonly port: number
}

/** The addresses of the release's own Services in variables, with who calls them. */
function addressesIn(pods: readonly Pod[]): Address[] {
  const pattern = new RegExp(`(https?://)?([\\w-]+\\.${RELEASE.namespace}\\.svc)(?::(\\d+))?`, 'g')
  return pods.flatMap((pod) =>
    [...pod.initContainers, ...pod.containers].flatMap(({ env }) =>
      (env ?? []).flatMap(({ name, value }) =>
        [...(value ?? '').matchAll(pattern)].map(([, , host = '', port = '80']) => ({
          // Agents send traces to this URL.
          caller: name === 'INGEST_URL' ? agent : pod,
          variable: name,
          host,
          port: Number(port),
        })),
      ),
    ),
  )
}
