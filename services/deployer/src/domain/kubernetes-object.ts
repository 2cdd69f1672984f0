/** What every object of the cluster has. */
export interface ObjectMeta {
  readonly name: string
  readonly namespace?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly ownerReferences?: readonly {
    readonly kind: string
    readonly name: string
    readonly uid: string
  }[]
  readonly managedFields?: readonly {
    readonly manager?: string
    readonly operation?: string
    readonly time?: string
    readonly subresource?: string
    readonly fieldsV1?: { readonly 'f:spec'?: Readonly<Record<string, unknown>> }
  }[]
}

/** An object to apply, or one that was read. */
export interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
}

/** Names an object. */
export interface ObjectKey {
  readonly apiVersion: string
  readonly kind: string
  /** Empty for objects of the cluster. */
  readonly namespace: string
  readonly name: string
}

/** The key of an object. */
export function keyOf({ apiVersion, kind, metadata }: KubernetesObject): ObjectKey {
  return { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name }
}

/** A key as text, to compare by. */
export function keyText({ apiVersion, kind, namespace, name }: ObjectKey): string {
  return `${apiVersion}/${kind}/${namespace}/${name}`
}

/** Every kind that this service makes or reads, with its name in URLs. */
const RESOURCES = {
  'v1/Namespace': 'namespaces',
  'v1/ConfigMap': 'configmaps',
  'v1/PersistentVolumeClaim': 'persistentvolumeclaims',
  'v1/Pod': 'pods',
  'v1/Secret': 'secrets',
  'v1/Service': 'services',
  'v1/ServiceAccount': 'serviceaccounts',
  'apps/v1/Deployment': 'deployments',
  'apps/v1/StatefulSet': 'statefulsets',
  'autoscaling/v2/HorizontalPodAutoscaler': 'horizontalpodautoscalers',
  'batch/v1/CronJob': 'cronjobs',
  'batch/v1/Job': 'jobs',
  'networking.k8s.io/v1/Ingress': 'ingresses',
  'networking.k8s.io/v1/NetworkPolicy': 'networkpolicies',
  'rbac.authorization.k8s.io/v1/RoleBinding': 'rolebindings',
} as const

const byKind: ReadonlyMap<string, string> = new Map(Object.entries(RESOURCES))

/**
 * URL path of a kind's collection, in one namespace or, with an empty one, in the whole cluster.
 */
export function collectionPath(apiVersion: string, kind: string, namespace: string): string {
  const resource = byKind.get(`${apiVersion}/${kind}`)
  if (resource === undefined)
    throw new Error(`${apiVersion} ${kind} is not a kind that this service handles`)
  const group = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`
  return namespace === ''
    ? `${group}/${resource}`
    : `${group}/namespaces/${encodeURIComponent(namespace)}/${resource}`
}

/** URL path of an object. */
export function objectPath({ apiVersion, kind, namespace, name }: ObjectKey): string {
  return `${collectionPath(apiVersion, kind, namespace)}/${encodeURIComponent(name)}`
}
