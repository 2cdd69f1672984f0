import { randomBytes } from 'node:crypto'
import { fromStack } from '@slipway/testing/from-stack'
import { ApiError, createApiClient } from '../../kubernetes/client.ts'
import type { ApiClient } from '../../kubernetes/client.ts'

/** An object that `apply` sends. */
interface AppliedObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly [field: string]: unknown
}

/** The label of the stack's release, and what every namespace of the deployer must have. */
export const RELEASE_LABEL = 'slipway.dev/release'
export const RELEASE = { [RELEASE_LABEL]: 'slipway-system-slipway' }
export const MANAGED = { 'app.kubernetes.io/managed-by': 'slipway' }
export const LEVEL = 'pod-security.kubernetes.io/enforce'
export const OWN_LABELS = { ...MANAGED, ...RELEASE, [LEVEL]: 'restricted' }

/** A new name as the deployer makes them. */
export const namespaceName = (agent: string) => `agent-${agent}-${randomBytes(5).toString('hex')}`

let client: ApiClient | undefined

/** Sends a request with the deployer's token. Returns `ok`, or why the API server refuses it. */
export async function asDeployer(...request: Parameters<ApiClient['call']>): Promise<string> {
  client ??= createApiClient(fromStack('DEPLOYER_KUBECONFIG'))
  try {
    await client.call(...request)
    return 'ok'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return (JSON.parse(error.answer) as { message: string }).message
  }
}

const COLLECTIONS: Readonly<Record<string, string>> = {
  CronJob: 'cronjobs',
  Deployment: 'deployments',
  Ingress: 'ingresses',
  Job: 'jobs',
  RoleBinding: 'rolebindings',
  Secret: 'secrets',
  Service: 'services',
  StatefulSet: 'statefulsets',
}

/** Applies an object with the deployer's token. */
export async function apply(object: AppliedObject, namespace = 'default'): Promise<string> {
  const { apiVersion, kind, metadata } = object
  const group = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`
  const collection =
    kind === 'Namespace' ? 'namespaces' : `namespaces/${namespace}/${COLLECTIONS[kind]}`
  const path = `${group}/${collection}/${metadata.name}?fieldManager=test&fieldValidation=Strict`
  return await asDeployer('PATCH', path, object, 'application/apply-patch+yaml')
}

/** Sets labels of a namespace, or removes those that are null, with the deployer's token. */
export async function label(
  namespace: string,
  labels: Readonly<Record<string, string | null>>,
): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}`
  return await asDeployer('PATCH', path, { metadata: { labels } }, 'application/merge-patch+json')
}

/** A namespace with these labels. */
export function namespaceNamed(name: string, labels?: Record<string, string>) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...(labels && { labels }) } }
}

/** A binding of the deployer's role to itself, or with other names. */
export function binding(change: { readonly role?: string; readonly subject?: string } = {}) {
  const { role = 'slipway-deployer-workloads', subject = 'slipway-deployer' } = change
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: `binding-of-${role}-to-${subject}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: subject, namespace: 'slipway-system' }],
  }
}
