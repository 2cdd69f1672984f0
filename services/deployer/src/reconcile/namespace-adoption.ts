import { sleep } from '@slipway/shared/waiting'

import type { ClusterConfig } from '../config/cluster.ts'
import type { DeployerContext } from '../context.ts'
import { findByLiveNamespace } from '../db/deployments.ts'
import type { KubernetesObject } from '../domain/kubernetes-object.ts'
import { DEPLOYMENT_LABEL, MANAGED_BY, MANAGED_BY_LABEL, RELEASE_LABEL } from '../domain/labels.ts'
import { KubernetesError } from '../kubernetes/kubernetes-error.ts'
import { objectPath } from '../kubernetes/paths.ts'
import { listObjects } from '../kubernetes/read.ts'
import { grantRightsWhenLabeled, hasRights, renderRoleBinding } from '../kubernetes/rights.ts'
import { stableLabels } from '../manifests/identity.ts'

const INTERVAL_MS = 60_000
const RETRY_MS = 2_000

/** The work of giving the release's label to older namespaces. */
export interface Adoption extends AsyncDisposable {
  /** A readiness check: rejects until the namespaces have been looked through once. */
  readonly check: () => Promise<void>
}

/**
 * Labels the namespaces that this release made before the label `slipway.dev/release` existed. A
 * namespace is this release's if the database has its deployment, and its role binding names this
 * deployer's ServiceAccount: a copy of the database is not enough.
 */
export function startAdoption(context: DeployerContext): Adoption {
  const ending = new AbortController()
  let isDone = false
  const running = (async () => {
    while (!ending.signal.aborted) {
      try {
        await adoptAll(context, ending.signal)
        isDone = true
      } catch (error) {
        if (!ending.signal.aborted) context.logger.warn({ err: error }, 'adoption_interrupted')
      }
      await sleep(isDone ? INTERVAL_MS : RETRY_MS, ending.signal)
    }
  })()
  return {
    check: async () => {
      if (!isDone) throw new Error('the namespaces of deployments have not been read yet')
    },
    async [Symbol.asyncDispose]() {
      ending.abort()
      await running
    },
  }
}

async function adoptAll(context: DeployerContext, signal: AbortSignal): Promise<void> {
  const { items } = await listObjects(context.kubernetes, {
    apiVersion: 'v1',
    kind: 'Namespace',
    namespace: '',
    labels: { [MANAGED_BY_LABEL]: MANAGED_BY },
    withoutLabel: RELEASE_LABEL,
    signal,
  })
  for (const namespace of items) {
    const { name } = namespace.metadata
    try {
      if (await adopt(context, namespace, signal))
        context.logger.info({ namespace: name }, 'namespace_adopted')
    } catch (error) {
      if (!(error instanceof KubernetesError)) throw error
      context.logger.warn({ err: error, namespace: name }, 'namespace_not_adopted')
    }
  }
}

async function adopt(
  { config: { cluster }, db, kubernetes }: DeployerContext,
  { metadata: { name, uid, labels, deletionTimestamp } }: KubernetesObject,
  signal: AbortSignal,
): Promise<boolean> {
  if (deletionTimestamp !== undefined) return false
  const deployment = await findByLiveNamespace(db, name)
  if (deployment === undefined || labels?.[DEPLOYMENT_LABEL] !== deployment.id) return false
  const isBoundBy = async (role: ClusterConfig) =>
    await hasRights(kubernetes, renderRoleBinding(name, {}, role), signal)
  const isBound = await isBoundBy(cluster)
  if (!isBound && !(await isBoundBy(withFormerRole(cluster)))) return false
  await kubernetes.send({
    method: 'PATCH',
    path: objectPath({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name }),
    contentType: 'application/merge-patch+json',
    body: { metadata: { uid, labels: { [RELEASE_LABEL]: cluster.release } } },
    signal,
  })
  if (!isBound) {
    const { id, account_id: accountId, agent } = deployment
    const identity = { deploymentId: id, accountId, agent, buildId: '', namespace: name }
    const binding = renderRoleBinding(name, stableLabels(identity), cluster)
    await grantRightsWhenLabeled(kubernetes, binding, signal)
  }
  return true
}

/** The chart's role had no hash in its name when there was no release label. */
function withFormerRole(cluster: ClusterConfig): ClusterConfig {
  const { namespace, name } = cluster.serviceAccount
  return { ...cluster, workloadRole: `${namespace}-${name}-workloads` }
}
