import { readFile, writeFile } from 'node:fs/promises'

import { waitFor } from '@slipway/testing'

import type { KubernetesClient } from '../../src/kubernetes/client.ts'
import { isKubernetesStatus } from '../../src/kubernetes/kubernetes-error.ts'
import { requireEnv } from './deployer.ts'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const NAMESPACE = 'slipway-system'
const ROLE = 'slipway-deployer'
const WORKLOAD_ROLE = 'slipway-deployer-workloads'

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly verbs: readonly string[]
}

/** Verbs of a resource to remove. */
interface Denial {
  readonly resource: string
  readonly group: string
  readonly namespace: string
  readonly verbs: readonly string[]
}

/** A ServiceAccount with the deployer's permissions, which tests can reduce. */
export interface RestrictedRights extends AsyncDisposable {
  readonly env: Record<string, string>
  /**
   * Removes verbs of a resource, and returns a function that restores them. Both wait until the
   * change is in effect in the namespace.
   */
  forbid(denial: Denial): Promise<() => Promise<void>>
}

/** Creates the account and its roles, named after `id`, and a kubeconfig at `file`. */
export async function restrictedRights(
  cluster: KubernetesClient,
  id: string,
  file: string,
): Promise<RestrictedRights> {
  const name = `test-${id}`
  const workloadRole = `${name}-workloads`
  const made: string[] = []
  const make = async (
    collection: string,
    body: { metadata: { name: string }; [field: string]: unknown },
  ) => {
    await cluster.send({ method: 'POST', path: collection, body })
    made.unshift(`${collection}/${body.metadata.name}`)
  }
  const rulesOf = async (role: string) =>
    (await cluster.send<{ rules: Rule[] }>({ method: 'GET', path: `${RBAC}/clusterroles/${role}` }))
      .body.rules
  const workloadRules = await rulesOf(WORKLOAD_ROLE)
  const rules = (await rulesOf(ROLE)).map((rule) =>
    rule.resourceNames ? { ...rule, resourceNames: [workloadRole] } : rule,
  )
  const subject = { kind: 'ServiceAccount', name, namespace: NAMESPACE }
  const accounts = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`
  await make(accounts, { metadata: { name } })
  await make(`${RBAC}/clusterroles`, { metadata: { name }, rules })
  await make(`${RBAC}/clusterroles`, { metadata: { name: workloadRole }, rules: workloadRules })
  await make(`${RBAC}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [subject],
  })
  const { body } = await cluster.send<{ status: { token: string } }>({
    method: 'POST',
    path: `${accounts}/${name}/token`,
    body: { spec: { expirationSeconds: 3600 } },
  })
  const kubeconfig = JSON.parse(await readFile(requireEnv('DEPLOYER_KUBECONFIG'), 'utf8')) as {
    users: unknown[]
  }
  kubeconfig.users = [{ name: 'slipway', user: { token: body.status.token } }]
  await writeFile(file, JSON.stringify(kubeconfig), { mode: 0o600 })
  const writeRules = async (denial: Denial | undefined) => {
    for (const [role, all] of [
      [name, rules],
      [workloadRole, workloadRules],
    ] as const) {
      await cluster.send({
        method: 'PATCH',
        path: `${RBAC}/clusterroles/${role}`,
        contentType: 'application/merge-patch+json',
        body: { rules: denial === undefined ? all : all.flatMap((rule) => without(rule, denial)) },
      })
    }
  }
  const untilAllowed = async (
    { resource, group, namespace, verbs }: Denial,
    isAllowed: boolean,
  ) => {
    const spec = {
      user: `system:serviceaccount:${NAMESPACE}:${name}`,
      resourceAttributes: { resource, group, namespace, verb: verbs[0] },
    }
    await waitFor(
      async () => {
        const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
        const answer = await cluster.send<{ status: { allowed: boolean } }>({
          method: 'POST',
          path,
          body: { spec },
        })
        return answer.body.status.allowed === isAllowed
      },
      { what: `the permissions to ${verbs.join(', ')} ${resource} to change` },
    )
  }
  return {
    env: {
      KUBECONFIG: file,
      SERVICE_ACCOUNT_NAMESPACE: NAMESPACE,
      SERVICE_ACCOUNT_NAME: name,
      WORKLOAD_CLUSTER_ROLE: workloadRole,
    },
    async forbid(denial) {
      await writeRules(denial)
      await untilAllowed(denial, false)
      return async () => {
        await writeRules(undefined)
        await untilAllowed(denial, true)
      }
    },
    async [Symbol.asyncDispose]() {
      for (const path of made) {
        await cluster.send({ method: 'DELETE', path }).catch((error: unknown) => {
          if (!isKubernetesStatus(error, 404)) throw error
        })
      }
    },
  }
}

function without(rule: Rule, { resource, verbs }: Denial): Rule[] {
  const all = rule.resources.map((each) => ({
    ...rule,
    resources: [each],
    verbs: each === resource ? rule.verbs.filter((verb) => !verbs.includes(verb)) : rule.verbs,
  }))
  return all.filter((each) => each.verbs.length > 0)
}
