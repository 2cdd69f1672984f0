import type { ObjectKey } from '../domain/kubernetes-object.ts'

/** All kinds that this service uses, with their names in URLs. */
const RESOURCES = {
  'v1/Namespace': 'namespaces',
  'v1/ConfigMap': 'configmaps',
  'v1/Event': 'events',
  'v1/LimitRange': 'limitranges',
  'v1/PersistentVolumeClaim': 'persistentvolumeclaims',
  'v1/Pod': 'pods',
  'v1/ResourceQuota': 'resourcequotas',
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
 * Returns the URL path of a kind in one namespace or, with an empty `namespace`, in the cluster.
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

/** Returns the URL path of an object. */
export function objectPath({ apiVersion, kind, namespace, name }: ObjectKey): string {
  return `${collectionPath(apiVersion, kind, namespace)}/${encodeURIComponent(name)}`
}
