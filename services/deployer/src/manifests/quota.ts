import { stableLabels, nameOf, type Identity } from './identity.ts'
import type { ManifestSettings } from './settings.ts'
import type { LimitRange, ResourceQuota } from './types.ts'

/** The bounds of a deployment's namespace. */
export interface NamespaceBounds {
  readonly pods: number
  /** Limits of all pods, in millicores. */
  readonly cpu: number
  readonly memoryBytes: number
  readonly storageBytes: number
  readonly gpus: number
  /** Jobs that exist, running or finished. */
  readonly jobs: number
}

/** Renders the quota of a namespace, a second bound after the checks of a deploy. */
export function renderResourceQuota(identity: Identity, bounds: NamespaceBounds): ResourceQuota {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: metadataOf(identity),
    spec: {
      hard: {
        pods: String(bounds.pods),
        'limits.cpu': cpus(bounds.cpu),
        'limits.memory': String(bounds.memoryBytes),
        'requests.storage': String(bounds.storageBytes),
        'requests.nvidia.com/gpu': String(bounds.gpus),
        'requests.amd.com/gpu': String(bounds.gpus),
        'count/jobs.batch': String(bounds.jobs),
        'services.loadbalancers': '0',
        'services.nodeports': '0',
      },
    },
  }
}

/**
 * Renders the amounts of containers that set none, such as those that a service mesh adds: the
 * quota would reject their pods.
 */
export function renderLimitRange(
  identity: Identity,
  { ephemeralStorage }: Pick<ManifestSettings, 'ephemeralStorage'>,
): LimitRange {
  const { request, limit } = ephemeralStorage
  return {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: metadataOf(identity),
    spec: {
      limits: [
        {
          type: 'Container',
          _default: { cpu: '500m', memory: '512Mi', 'ephemeral-storage': limit },
          defaultRequest: { cpu: '100m', memory: '128Mi', 'ephemeral-storage': request },
        },
      ].map(fromKeyword),
    },
  }
}

/** The client library's types call the field `default` `_default`. */
function fromKeyword<Item extends { readonly _default: object }>({ _default, ...item }: Item) {
  return { ...item, default: _default }
}

function metadataOf(identity: Identity) {
  return {
    name: nameOf(identity, { kind: 'agent' }),
    namespace: identity.namespace,
    labels: stableLabels(identity),
  }
}

function cpus(millicores: number): string {
  return millicores % 1000 === 0 ? String(millicores / 1000) : `${millicores}m`
}
