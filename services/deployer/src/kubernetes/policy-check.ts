import type { ClusterConfig } from '../config/cluster.ts'
import type { KubernetesObject } from '../domain/kubernetes-object.ts'
import type { KubernetesClient } from './client.ts'
import { isKubernetesStatus } from './kubernetes-error.ts'
import { collectionPath } from './paths.ts'
import { renderRoleBinding } from './rights.ts'

const NAME = 'slipway-policy-check'
/** A check costs two requests, so its success counts for this long. */
const VALID_MS = 60_000

/**
 * Returns a readiness check that rejects while the deployer's permissions are not limited: its role
 * would give it access to all namespaces. The cluster must refuse, in dry runs, a role binding in
 * the deployer's own namespace, and a namespace without labels.
 */
export function policyCheck(client: KubernetesClient, cluster: ClusterConfig): () => Promise<void> {
  let validUntil = 0
  return async () => {
    if (performance.now() < validUntil) return
    const { namespace } = cluster.serviceAccount
    const binding = renderRoleBinding(namespace, {}, cluster)
    await requireRefusal(client, { ...binding, metadata: { name: NAME, namespace } })
    await requireRefusal(client, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAME } })
    validUntil = performance.now() + VALID_MS
  }
}

async function requireRefusal(client: KubernetesClient, object: KubernetesObject): Promise<void> {
  const { apiVersion, kind, metadata } = object
  const path = `${collectionPath(apiVersion, kind, metadata.namespace ?? '')}?dryRun=All`
  try {
    await client.send({ method: 'POST', path, body: object })
  } catch (error) {
    if (isKubernetesStatus(error, 403)) return
    throw error
  }
  const where = metadata.namespace === undefined ? '' : ` in ${metadata.namespace}`
  throw new Error(
    `the cluster lets the deployer create any ${kind}${where}: its admission policies ` +
      '(ValidatingAdmissionPolicy and its binding) are missing. Install them with the release, ' +
      'by a user who may create them',
  )
}
