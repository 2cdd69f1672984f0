import { HttpApplier } from './http-applier.ts'
import { inNamespace, LibraryApplier } from './library-applier.ts'
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

/** The deploys of the bench and what they are compared with. Disposal removes all deployments. */
export interface Work extends AsyncDisposable {
  /** The number of objects that a deploy applies. */
  readonly objects: number
  /** The names of registered agents that are not deployed. */
  readonly names: string[]
  deploy(name: string): Promise<unknown>
  validate(name: string): Promise<unknown>
  /**
   * Applies the objects of a deploy with the client library, in the given namespace or a new one.
   * Returns the namespace.
   */
  applyByLibrary(namespace?: string): Promise<string>
  /** The same without the client library. */
  applyByHttp(namespace?: string): Promise<string>
}

/** Registers agents, and deploys one whose objects the comparisons apply. */
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
    if (result === undefined) throw new Error('the response has no result')
    return result
  }
  const library = new LibraryApplier(process.env['KUBECONFIG'] ?? '')
  const namespaces: string[] = []
  await using created = new AsyncDisposableStack()
  created.defer(async () => {
    const { deployments: live } = await deployments.listDeployments(
      { account, pageSize: 1000 },
      options,
    )
    for (const { name } of live) await deployments.undeploy({ account, name }, options)
    for (const name of namespaces) await library.remove(name)
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
  const objects = await library.objectsOf(first.k8sNamespace, keys)
  const http = new HttpApplier(process.env['KUBECONFIG'] ?? '')
  const httpObjects = await http.objectsOf(
    keys.map(({ name, ...kind }) => ({
      ...kind,
      metadata: { name, namespace: first.k8sNamespace },
    })),
  )
  const newNamespace = () => {
    const name = `raw-${run}-${namespaces.length}`
    namespaces.push(name)
    return name
  }
  const applyByLibrary = async (namespace = newNamespace()) => {
    await library.apply(objects, namespace)
    return namespace
  }
  const applyByHttp = async (namespace = newNamespace()) => {
    await http.apply(inNamespace(httpObjects, namespace))
    return namespace
  }
  // Warms up compiled code and connections.
  await applyByLibrary()
  await deploy(names.pop() ?? '')
  await applyByLibrary()
  await applyByHttp()
  const running = created.move()
  return {
    objects: objects.length,
    names,
    deploy,
    async validate(name) {
      const target = targetOf(name)
      const { valid } = await deployments.validateDeployment({ target }, options)
      if (!valid) throw new Error(`the deploy of ${name} is not valid`)
    },
    applyByLibrary,
    applyByHttp,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function apiVersionOf(kind: string): string {
  return kind === 'Deployment'
    ? 'apps/v1'
    : kind === 'NetworkPolicy'
      ? 'networking.k8s.io/v1'
      : 'v1'
}
