import { Conflict } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import type { DeploymentRow } from '../db/deployments.ts'
import { AGENT_LABEL, DEPLOYMENT_LABEL, MANAGED_BY, MANAGED_BY_LABEL } from '../domain/labels.ts'
import { deleteObject } from '../kubernetes/delete.ts'
import { readObject } from '../kubernetes/read.ts'

/**
 * Asks the cluster to delete a deployment's namespace. Returns true when the namespace no longer
 * exists, false when the cluster has accepted its deletion. Throws Conflict when the namespace has
 * lost its labels.
 */
export async function deleteNamespace(
  { kubernetes }: DeployerContext,
  deployment: DeploymentRow,
): Promise<boolean> {
  const key = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: deployment.k8s_namespace }
  const found = await readObject(kubernetes, key)
  if (found === undefined) return true
  const labels = found.metadata.labels ?? {}
  if (labels[MANAGED_BY_LABEL] !== MANAGED_BY || labels[DEPLOYMENT_LABEL] !== deployment.id) {
    // Without the agent label this is another namespace with the same name, so the deployment's own
    // no longer exists. With the agent label it is the deployment's own, but has lost its other
    // labels, so it must not be deleted.
    if (labels[AGENT_LABEL] === undefined) return true
    throw new Conflict(
      'namespace_taken',
      `the namespace ${key.name} has lost the labels of its deployment; restore them and try again`,
    )
  }
  if (found.metadata.deletionTimestamp !== undefined) return false
  const { uid } = found.metadata
  return !(await deleteObject(kubernetes, key, uid === undefined ? {} : { uid }))
}
