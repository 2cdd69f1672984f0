import { parseArgs } from 'node:util'

import { RawApplier } from './deploy/raw.ts'
import { startDeployBench } from './deploy/system.ts'
import { quantile } from './load.ts'

// `./slipway bench deploy`: one JSON line per figure, each with what it is compared with, measured in the same run.
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '30' }, concurrent: { type: 'string', default: '96' } },
})
const rounds = Number(values.rounds)
const concurrent = Number(values.concurrent)
const AT_ONCE = 16

const SPEC = `spec: astro/v1
name: bench
agent:
  image: registry.example/bench:1
  port: 8080
  healthcheck: {path: /healthz}
  inputs:
    token: {name: API_TOKEN, datatype: string, secret: true}
tools:
  helper: {container: {image: registry.example/helper:1, port: 9000}}
`

const print = (figure: object): void => console.log(JSON.stringify(figure))
const say = (line: string): void => console.error(`  ${line}`)
const apiVersionOf = (kind: string): string =>
  kind === 'Deployment' ? 'apps/v1' : kind === 'NetworkPolicy' ? 'networking.k8s.io/v1' : 'v1'
const run = Date.now().toString(36)

await using bench = await startDeployBench()
const raw = new RawApplier(process.env['KUBECONFIG'] ?? '')
const { account, options, agents, deployments } = bench

const register = async (name: string) => {
  const build = { buildId: 'b1', registry: 'oci://registry.example', specContent: SPEC }
  await agents.registerBuild({ account, name, ...build }, options)
}
const targetOf = (name: string) => ({ account, name, userCredentials: { API_TOKEN: `token of ${name}` } })
const deploy = (name: string) => deployments.deploy({ target: targetOf(name) }, options)
const names = Array.from({ length: rounds + concurrent + 3 }, (_, index) => `bench-${run}-${index}`)
const rawNames: string[] = []
say(`registering ${names.length} agents`)
for (const name of names) await register(name)

async function timed(times: number[], work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  await work()
  times.push(performance.now() - startedAt)
}
const round = (value: number) => Math.round(value * 100) / 100
const figures = (times: readonly number[]) => {
  const latencies = Float64Array.from(times).sort()
  return { p50_ms: round(quantile({ latencies }, 0.5)), p95_ms: round(quantile({ latencies }, 0.95)) }
}

const first = await deploy(names.pop() ?? '')
const keys = [
  { apiVersion: 'v1', kind: 'Namespace', name: first.k8sNamespace },
  { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', name: 'slipway-deployer-workloads' },
  ...first.resources
    .filter(({ kind }) => kind !== 'Namespace')
    .map(({ kind, name }) => ({ apiVersion: apiVersionOf(kind), kind, name })),
]
const objects = await raw.objectsOf(first.k8sNamespace, keys)
const applyRaw = async () => {
  const namespace = `raw-${run}-${rawNames.length}`
  rawNames.push(namespace)
  await raw.apply(objects, namespace)
  return namespace
}
await applyRaw()
await deploy(names.pop() ?? '')
await applyRaw()

say('deploying one after another')
const times = { deploy: [], raw: [], redeploy: [], rawAgain: [], validate: [], state: [] } as Record<string, number[]>
const deployed: string[] = []
for (const [index, name] of names.splice(0, rounds).entries()) {
  const ours = () => timed(times['deploy'] ?? [], () => deploy(name))
  const theirs = () => timed(times['raw'] ?? [], applyRaw)
  for (const work of index % 2 === 0 ? [ours, theirs] : [theirs, ours]) await work()
  deployed.push(name)
  const last = rawNames.at(-1) ?? ''
  await timed(times['redeploy'] ?? [], () => deploy(name))
  await timed(times['rawAgain'] ?? [], () => raw.apply(objects, last))
  await timed(times['validate'] ?? [], () => deployments.validateDeployment({ target: targetOf(name) }, options))
  await timed(times['state'] ?? [], () => deployments.getDeployment({ account, name }, options))
}
const p50 = (what: string) => figures(times[what] ?? []).p50_ms
print({
  figure: 'deploy',
  objects: objects.length,
  slipway: figures(times['deploy'] ?? []),
  raw: figures(times['raw'] ?? []),
  ratio: round(p50('deploy') / p50('raw')),
})
print({
  figure: 'redeploy, unchanged',
  slipway: figures(times['redeploy'] ?? []),
  raw: figures(times['rawAgain'] ?? []),
  ratio: round(p50('redeploy') / p50('rawAgain')),
})
print({
  figure: 'validate',
  slipway: figures(times['validate'] ?? []),
  ratio_to_deploy: round(p50('validate') / p50('deploy')),
})
print({ figure: 'state', slipway: figures(times['state'] ?? []) })

say(`deploying ${AT_ONCE} at once`)
async function atOnce(count: number, work: () => Promise<unknown>) {
  let left = count
  const took: number[] = []
  const cpuBefore = bench.processes.deployer.cpuMs() + bench.processes.catalog.cpuMs()
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await timed(took, work)
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const cpuMs = bench.processes.deployer.cpuMs() + bench.processes.catalog.cpuMs() - cpuBefore
  return { per_second: round(count / seconds), ...figures(took), service_cpu_ms: round(cpuMs / count) }
}
const half = Math.floor(names.length / 2)
const halves = []
for (const part of [names.slice(0, half), names.slice(half)]) {
  const queue = [...part]
  halves.push({
    slipway: await atOnce(part.length, () => deploy(queue.shift() ?? '')),
    raw: await atOnce(part.length, applyRaw),
  })
}
for (const { slipway, raw: theirs } of halves) {
  print({
    figure: `deploy, ${AT_ONCE} at once`,
    slipway,
    raw: { per_second: theirs.per_second, p50_ms: theirs.p50_ms },
    ratio: round(slipway.per_second / theirs.per_second),
  })
}

say('cleaning up')
const { deployments: live } = await deployments.listDeployments({ account, pageSize: 1000 }, options)
for (const { name } of live) await deployments.undeploy({ account, name }, options)
for (const name of rawNames) await raw.remove(name)
