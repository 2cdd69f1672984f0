import type { ApiClient } from '../kubernetes/client.ts'
import { keepReconciled } from '../kubernetes/reconcile.ts'
import type { List } from '../kubernetes/reconcile.ts'
import { nginxConfiguration } from './nginx-configuration.ts'
import { applyConfiguration } from './nginx.ts'
import type { Nginx } from './nginx.ts'
import { isServed, planRoutes } from './routes.ts'
import type { Ingress, Service } from './routes.ts'

const INGRESSES_PATH = '/apis/networking.k8s.io/v1/ingresses'
const SERVICES_PATH = '/api/v1/services'

/**
 * Keeps nginx serving the Ingresses of the stack's class, and writes the address to their status,
 * until the signal aborts. `onServed` is called after each update of nginx.
 */
export async function serveIngresses(
  client: ApiClient,
  nginx: Nginx,
  options: { readonly signal: AbortSignal; readonly onServed: () => void },
): Promise<void> {
  let reported = new Set<string>()
  const round = async () => {
    const [ingresses, services] = await Promise.all([
      client.call('GET', INGRESSES_PATH) as Promise<List<Ingress>>,
      client.call('GET', SERVICES_PATH) as Promise<List<Service>>,
    ])
    const { routes, problems } = planRoutes(ingresses.items, services.items)
    for (const problem of problems.filter((each) => !reported.has(each))) console.error(problem)
    reported = new Set(problems)
    await applyConfiguration(nginx, nginxConfiguration(routes, nginx.listen))
    options.onServed()
    const status = { loadBalancer: { ingress: [addressOf(nginx)] } }
    const outdated = ingresses.items.filter((each) => isServed(each) && !hasStatus(each, status))
    await Promise.all(outdated.map(async (each) => await writeStatus(client, each, status)))
    return new Map([
      [INGRESSES_PATH, ingresses.metadata.resourceVersion],
      [SERVICES_PATH, services.metadata.resourceVersion],
    ])
  }
  await keepReconciled(client, { name: 'ingress', round }, options.signal)
}

function addressOf({ listen }: Pick<Nginx, 'listen'>): object {
  const { hostname, port } = new URL(`http://${listen[0]}`)
  return { ip: hostname, ports: [{ port: Number(port), protocol: 'TCP' }] }
}

function hasStatus({ status }: Ingress, wanted: Ingress['status']): boolean {
  return (
    JSON.stringify(status?.loadBalancer?.ingress) === JSON.stringify(wanted?.loadBalancer?.ingress)
  )
}

async function writeStatus(
  client: ApiClient,
  { metadata }: Ingress,
  status: Ingress['status'],
): Promise<void> {
  const namespace = `/apis/networking.k8s.io/v1/namespaces/${metadata.namespace}`
  const path = `${namespace}/ingresses/${metadata.name}/status`
  try {
    await client.call('PATCH', path, { status }, 'application/merge-patch+json')
  } catch (error) {
    // The Ingress has been deleted, or the patch was rejected. Neither affects what is served.
    console.error(error instanceof Error ? error.message : String(error))
  }
}
