import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { waitFor } from '@slipway/testing'

import { cluster, find, list, type Pod } from './cluster.ts'

/** The checkout. */
export const CHECKOUT = join(import.meta.dirname, '../..')
const NAME = 'slipway'
const PATIENCE_MS = 300_000

/** The namespace of the release. */
export const NAMESPACE = 'slipway'

/** The services of the platform. */
export const SERVICES = ['gateway', 'catalog', 'deployer', 'observability'] as const
export type Service = (typeof SERVICES)[number]

interface ScaledObject {
  readonly metadata: { readonly generation?: number }
  readonly spec: { readonly replicas: number }
  readonly status: {
    readonly observedGeneration?: number
    readonly replicas?: number
    readonly updatedReplicas?: number
    readonly readyReplicas?: number
  }
}

/** A pod with its address. */
export interface PodAtAddress extends Pod {
  readonly metadata: Pod['metadata'] & { readonly uid: string }
  readonly status: Pod['status'] & { readonly podIP?: string }
}

/** Runs a tool of the stack, and returns its standard output. */
export async function tool(...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(join(CHECKOUT, 'dev'), ['tool', ...args])).stdout
}

/** Runs a command of Helm for the release. */
export async function helm(command: string, ...args: readonly string[]): Promise<string> {
  return await tool('helm', ...command.split(' '), NAME, `--namespace=${NAMESPACE}`, ...args)
}

/** The address of a Service of the release, which this machine can reach as well. */
export async function addressOf(component: string): Promise<string> {
  const path = `/api/v1/namespaces/${NAMESPACE}/services/${NAME}-${component}`
  const service = await find<Pod & { readonly spec: { readonly clusterIP: string } }>(path)
  return service?.spec.clusterIP ?? ''
}

/** The images of the release. */
export interface ReleaseImages {
  readonly registry: string
  readonly digests: Readonly<Record<string, string>>
}

/** Reads which images the release runs. */
export async function releaseImages(): Promise<ReleaseImages> {
  const values = await helm('get values', '--all', '--output=json')
  return (JSON.parse(values) as { image: ReleaseImages }).image
}

/** The reference of an image of the release. */
export function imageOf({ registry, digests }: ReleaseImages, name: string): string {
  return `${registry}/slipway/${name}@${digests[name]}`
}

/** Pushes an image that differs from a service's by a label. Returns the value that selects it. */
export async function newImage(service: Service): Promise<string> {
  const images = await releaseImages()
  const label = `--label=example.com/build=${Date.now()}`
  const tag = `--tag=${images.registry}/slipway/${service}:other`
  const source = imageOf(images, service)
  const pushed = await tool('crane', 'mutate', '--insecure', source, label, tag)
  return `--set=image.digests.${service}=${pushed.trim().split('@')[1]}`
}

/**
 * Upgrades the release with these values more, and waits until all pods are new. Takes back the
 * replicas that an autoscaler or {@link scale} has set.
 */
export async function upgrade(...values: readonly string[]): Promise<void> {
  const chart = join(CHECKOUT, 'deploy/helm/slipway')
  const options = ['--reset-then-reuse-values', '--force-conflicts', '--wait', '--timeout=5m']
  await helm('upgrade', chart, ...options, ...values)
  await untilSettled()
}

/** Removes the release and its namespace. */
export async function uninstall(): Promise<void> {
  await helm('uninstall', '--wait', '--ignore-not-found')
  const path = `/api/v1/namespaces/${NAMESPACE}`
  await cluster.call('DELETE', path)
  await waitFor(async () => (await find(path)) === undefined, {
    what: `the end of the namespace ${NAMESPACE}`,
    timeoutMs: PATIENCE_MS,
  })
}

/** The pods of a service, those that are stopping, too. */
export async function podsOf(component: string): Promise<PodAtAddress[]> {
  const selector = encodeURIComponent(`app.kubernetes.io/component=${component}`)
  return await list(`/api/v1/namespaces/${NAMESPACE}/pods?labelSelector=${selector}`)
}

/** Waits until each service has its number of new, ready pods, and no other. */
export async function untilSettled(): Promise<void> {
  for (const service of SERVICES) {
    await waitFor(async () => isSettled(await find<ScaledObject & Pod>(deploymentOf(service))), {
      what: `the pods of ${service}`,
      timeoutMs: PATIENCE_MS,
    })
    await waitFor(
      async () => (await podsOf(service)).every((pod) => !pod.metadata.deletionTimestamp),
      { what: `the end of the previous pods of ${service}`, timeoutMs: PATIENCE_MS },
    )
  }
}

/** With the engine inside, observability has no Deployment; Helm waits for its StatefulSet. */
function isSettled(object: ScaledObject | undefined): boolean {
  if (object === undefined) return true
  const { metadata, spec, status } = object
  if (status.observedGeneration !== metadata.generation) return false
  const counts = [status.replicas, status.updatedReplicas, status.readyReplicas]
  return counts.every((count) => (count ?? 0) === spec.replicas)
}

/** Sets the number of replicas of a service. */
export async function scale(service: Service, replicas: number): Promise<void> {
  const body = { spec: { replicas } }
  const type = 'application/merge-patch+json'
  await cluster.call('PATCH', `${deploymentOf(service)}/scale`, body, type)
  await untilSettled()
}

/** Lets the cluster set the number of replicas of a service, at once in both directions. */
export async function autoscale(
  service: Service,
  { percent, from, to }: { readonly percent: number; readonly from: number; readonly to: number },
): Promise<void> {
  const values = {
    enabled: true,
    minReplicas: from,
    maxReplicas: to,
    targetCPUUtilizationPercentage: percent,
    behavior: { scaleDown: { stabilizationWindowSeconds: 0 } },
  }
  await upgrade(`--set-json=${service}.autoscaling=${JSON.stringify(values)}`)
}

/** Waits until an autoscaler has given a service this number of replicas, and they are ready. */
export async function untilReplicas(service: Service, replicas: number): Promise<void> {
  await waitFor(
    async () => {
      const object = await find<ScaledObject & Pod>(deploymentOf(service))
      return object?.spec.replicas === replicas && isSettled(object)
    },
    { what: `${replicas} replicas of ${service}`, timeoutMs: PATIENCE_MS },
  )
  await untilSettled()
}

/** Evicts a pod, as a drain of its node does: a disruption budget may refuse it for a while. */
export async function evict(pod: Pod): Promise<void> {
  const { name } = pod.metadata
  const path = `/api/v1/namespaces/${NAMESPACE}/pods/${name}/eviction`
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } }
  const what = `the eviction of ${name}`
  await waitFor(async () => (await cluster.call('POST', path, body)) !== undefined, {
    what,
    timeoutMs: PATIENCE_MS,
  })
}

function deploymentOf(service: Service): string {
  return `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/${NAME}-${service}`
}
