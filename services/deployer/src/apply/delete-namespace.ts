import { Conflict } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import type { DeploymentRow } from '../db/deployments.ts'
import { AGENT_LABEL } from '../domain/labels.ts'
import { deleteObject } from '../kubernetes/delete.ts'
import { isOwned } from '../kubernetes/namespace.ts'
import { readObject } from '../kubernetes/read.ts'

/**
 * Asks the cluster to delete a deployment's namespace. Returns true when the namespace no longer
 * exists, false when the cluster has accepted its deletion. Throws Conflict when the namespace has
 * lost its labels.
 */
export async function deleteNamespace(
  { kubernetes, config }: DeployerContext,
  deployment: DeploymentRow,
): Promise<boolean> {
  const key = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: deployment.k8s_namespace }
  const found = await readObject(kubernetes, key)
  if (found === undefined) return true
  const labels = found.metadata.labels ?? {}
  if (!isOwned(labels, { release: config.cluster.release, deploymentId: deployment.id })) {
    // Without the agent label this is another namespace with the same name, so the deployment's own
    // no longer exists. With the agent label it is the deployment's own, but has lost its other
    // labels, or it is the same deployment of another release. So it must not be deleted.
    if (labels[AGENT_LABEL] === undefined) return true
    throw new Conflict(
      'namespace_taken',
      `the namespace ${key.name} belongs to another deployment or release of Slipway, or has ` +
        'lost its labels; restore them and try again',
    )
  }
  if (found.metadata.deletionTimestamp !== undefined) return false
  const { uid } = found.metadata
  return !(await deleteObject(kubernetes, key, uid === undefined ? {} : { uid }))
}
