import { parseArgs } from 'node:util'

import { login } from '@slipway/identity-provider/device-login'

import { Probe } from '../prober/probe.ts'
import { tableOf } from '../prober/report.ts'
import { list, type Pod } from '../support/cluster.ts'
import { fromStack } from '../support/environment.ts'
import { addressOf, imageOf, releaseImages, SERVICES, upgrade } from '../support/release.ts'
import { ENGINE_URL, startEngine } from './operations/engine.ts'
import { steps } from './operations/steps.ts'

// `./dev bench operations [STEP…]` does to a release in the cluster what an operator does (after
// `./dev up --in-cluster`), while the prober sends it requests past the Ingress. Prints for each
// step how long it took, and the prober's report. The engine runs outside of observability. Without
// names, it goes through all steps.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Requests per second; two cores serve 200 while one service is rolled. */
    rate: { type: 'string', default: '200' },
    /** Requests that run at the same time. With a high rate, they measure the throughput. */
    'in-flight': { type: 'string', default: '512' },
    /** The replicas of each service. */
    replicas: { type: 'string', default: '2' },
  },
})
const names = positionals.length > 0 ? positionals : Object.keys(steps)
const chosen = names.map((name) => {
  const step = steps[name]
  if (step === undefined)
    throw new Error(`unknown step "${name}"; use ${Object.keys(steps).join(', ')}`)
  return { name, step }
})
const say = (line: string) => console.error(`  ${line}`)

const images = await releaseImages()
say(`starting the engine, and ${values.replicas} replicas of each service`)
await startEngine(imageOf(images, 'observability'))
await upgrade(
  `--set=clickhouse.url=${ENGINE_URL}`,
  // Without the engine, observability needs no more than the other services.
  '--set=observability.resources.requests.cpu=10m',
  ...SERVICES.map((service) => `--set=${service}.replicas=${values.replicas}`),
)
const tokens = ['alice', 'bob', 'carol', 'mallory'].map((user) => {
  const token = login(fromStack('SLIPWAY_ISSUER'), user)
  return () => token
})
const ingest = await addressOf('ingest')
await using probe = await Probe.open({
  // Not the Ingress, which could hide resets.
  url: `http://${await addressOf('gateway')}`,
  tokens,
  image: imageOf(images, 'chart-test-agent'),
  otlpUrl: `http://${ingest}:4318`,
  otlpGrpc: `${ingest}:4317`,
})
let failed = false
for (const { name, step } of chosen) {
  const agents = await agentPods()
  const over = new AbortController()
  const running = probe.run({
    rate: Number(values.rate),
    maxInFlight: Number(values['in-flight']),
    signal: over.signal,
  })
  const startedAt = performance.now()
  try {
    await step((line) => say(`${name}: ${line}`))
  } finally {
    over.abort()
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const report = await running
  const kept = (await agentPods()).filter((pod) => agents.includes(pod))
  failed ||= !report.ok
  console.log(`\n${name}: ${seconds} s, ${kept.length} of ${agents.length} other agents' pods kept`)
  console.log(tableOf(report))
}
process.exitCode = failed ? 1 : 0

/** The pods of agents that the prober does not deploy, with how often they have restarted. */
async function agentPods(): Promise<string[]> {
  type Counted = Pod & { status: { containerStatuses?: readonly { restartCount: number }[] } }
  const pods = await list<Counted>('/api/v1/pods')
  return pods
    .filter(({ metadata }) => /^agent-(?!probe-)/.test(metadata.namespace ?? ''))
    .map(({ metadata, status }) => {
      const restarts = status.containerStatuses?.map(({ restartCount }) => restartCount)
      return `${metadata.uid} ${restarts?.join()}`
    })
}
