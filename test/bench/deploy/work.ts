import { BareApplier } from './bare.ts'
import { moved, RawApplier } from './raw.ts'
import type { DeployBench } from './system.ts'

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

/** What the bench does, and what it is compared with. Disposing of it removes all that was made. */
export interface Work extends AsyncDisposable {
  /** How many objects a deploy applies. */
  readonly objects: number
  /** Names of agents that were registered and not deployed yet. */
  readonly names: string[]
  deploy(name: string): Promise<unknown>
  validate(name: string): Promise<unknown>
  /**
   * Applies the objects of a deploy raw, one after another: in a new namespace, or in the one that
   * it gave before.
   */
  applyRaw(namespace?: string): Promise<string>
  /** The same without a client library. */
  applyBare(namespace?: string): Promise<string>
}

/** Registers agents, deploys the first one and takes its objects as what is applied raw. */
export async function prepareWork(bench: DeployBench, agents: number): Promise<Work> {
  const { account, options, deployments } = bench
  const run = Date.now().toString(36)
  const names = Array.from({ length: agents + 2 }, (_, index) => `bench-${run}-${index}`)
  for (const name of names) {
    const build = { buildId: 'b1', registry: 'oci://registry.example', specContent: SPEC }
    await bench.agents.registerBuild({ account, name, ...build }, options)
  }
  const targetOf = (name: string) => ({
    account,
    name,
    userCredentials: { API_TOKEN: `token of ${name}` },
  })
  const deploy = async (name: string) => {
    const { result } = await deployments.deploy({ target: targetOf(name) }, options)
    if (result === undefined) throw new Error('the answer has no result')
    return result
  }
  const raw = new RawApplier(process.env['KUBECONFIG'] ?? '')
  const rawNames: string[] = []
  await using made = new AsyncDisposableStack()
  made.defer(async () => {
    const { deployments: live } = await deployments.listDeployments(
      { account, pageSize: 1000 },
      options,
    )
    for (const { name } of live) await deployments.undeploy({ account, name }, options)
    for (const name of rawNames) await raw.remove(name)
  })
  const first = await deploy(names.pop() ?? '')
  const keys = [
    { apiVersion: 'v1', kind: 'Namespace', name: first.k8sNamespace },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      name: 'slipway-deployer-workloads',
    },
    ...first.resources
      .filter(({ kind }) => kind !== 'Namespace')
      .map(({ kind, name }) => ({ apiVersion: apiVersionOf(kind), kind, name })),
  ]
  const objects = await raw.objectsOf(first.k8sNamespace, keys)
  const bare = new BareApplier(process.env['KUBECONFIG'] ?? '')
  const bareObjects = await bare.objectsOf(
    keys.map(({ name, ...kind }) => ({
      ...kind,
      metadata: { name, namespace: first.k8sNamespace },
    })),
  )
  const into = (namespace: string | undefined) => {
    if (namespace !== undefined) return namespace
    return rawNames[rawNames.push(`raw-${run}-${rawNames.length}`) - 1] ?? ''
  }
  const applyRaw = async (given?: string) => {
    const namespace = into(given)
    await raw.apply(objects, namespace)
    return namespace
  }
  const applyBare = async (given?: string) => {
    const namespace = into(given)
    await bare.apply(moved(bareObjects, namespace))
    return namespace
  }
  // Code gets its optimised form, connections are made.
  await applyRaw()
  await deploy(names.pop() ?? '')
  await applyRaw()
  await applyBare()
  const all = made.move()
  return {
    objects: objects.length,
    names,
    deploy,
    async validate(name) {
      const target = targetOf(name)
      const { valid } = await deployments.validateDeployment({ target }, options)
      if (!valid) throw new Error(`the deploy of ${name} is not valid`)
    },
    applyRaw,
    applyBare,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

function apiVersionOf(kind: string): string {
  return kind === 'Deployment'
    ? 'apps/v1'
    : kind === 'NetworkPolicy'
      ? 'networking.k8s.io/v1'
      : 'v1'
}
