import { waitFor } from '@slipway/testing'

import type { KubernetesClient } from '../../src/kubernetes/client.ts'
import { isKubernetesStatus } from '../../src/kubernetes/kubernetes-error.ts'

const GROUP = '/apis/admissionregistration.k8s.io/v1'

/** An admission policy of the real API server, removed when disposed of. */
export interface AdmissionPolicy extends AsyncDisposable {
  readonly name: string
}

/** The requests that a policy rejects. */
export interface PolicyRule {
  readonly name: string
  readonly resources: readonly string[]
  /** CREATE and UPDATE by default. */
  readonly operations?: readonly ('CREATE' | 'UPDATE' | 'DELETE')[]
  readonly namespaceSelector?: object
  readonly objectSelector?: object
  /** A CEL expression; the policy rejects requests for which it is false. */
  readonly expression: string
  /** A CEL expression that returns the message. */
  readonly messageExpression?: string
}

/** Creates an admission policy. It takes effect a moment later: see untilRefused. */
export async function refuse(
  cluster: KubernetesClient,
  rule: PolicyRule,
): Promise<AdmissionPolicy> {
  const { name } = rule
  const kind = 'ValidatingAdmissionPolicy'
  await cluster.send({
    method: 'POST',
    path: `${GROUP}/validatingadmissionpolicies`,
    body: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      metadata: { name },
      spec: {
        matchConstraints: {
          resourceRules: [
            // Lists the resources, because with `*` the API server blocks all writes for minutes
            // while it discovers every type.
            {
              apiGroups: ['', 'apps', 'batch', 'networking.k8s.io'],
              apiVersions: ['v1'],
              operations: rule.operations ?? ['CREATE', 'UPDATE'],
              resources: rule.resources,
            },
          ],
          ...(rule.namespaceSelector && { namespaceSelector: rule.namespaceSelector }),
          ...(rule.objectSelector && { objectSelector: rule.objectSelector }),
        },
        validations: [
          {
            expression: rule.expression,
            ...(rule.messageExpression && { messageExpression: rule.messageExpression }),
          },
        ],
      },
    },
  })
  await cluster.send({
    method: 'POST',
    path: `${GROUP}/validatingadmissionpolicybindings`,
    body: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: `${kind}Binding`,
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  })
  return {
    name,
    async [Symbol.asyncDispose]() {
      await cluster.send({
        method: 'DELETE',
        path: `${GROUP}/validatingadmissionpolicybindings/${name}`,
      })
      await cluster.send({ method: 'DELETE', path: `${GROUP}/validatingadmissionpolicies/${name}` })
    },
  }
}

/**
 * Waits until a POST is rejected. The path should have `dryRun=All`, so that it creates nothing.
 */
export async function untilRefused(
  cluster: KubernetesClient,
  path: string,
  body: object,
): Promise<void> {
  await waitFor(
    async () => {
      try {
        await cluster.send({ method: 'POST', path, body })
        return false
      } catch (error) {
        if (isKubernetesStatus(error, 422) || isKubernetesStatus(error, 403)) return true
        throw error
      }
    },
    { what: 'the admission policy to take effect' },
  )
}

interface Policy {
  readonly spec: { readonly variables: readonly { readonly name: string; expression: string }[] }
}

/**
 * Changes a setting in one of the deployer's own policies, as the chart does for its operator. It
 * takes effect a moment later. Restored when disposed of.
 */
export async function setInPolicy(
  cluster: KubernetesClient,
  policy: string,
  setting: { readonly name: string; readonly expression: string },
): Promise<AsyncDisposable> {
  const path = `${GROUP}/validatingadmissionpolicies/${policy}`
  const { spec } = (await cluster.send<Policy>({ method: 'GET', path })).body
  const write = async (variables: Policy['spec']['variables']) => {
    const contentType = 'application/merge-patch+json'
    await cluster.send({ method: 'PATCH', path, contentType, body: { spec: { variables } } })
  }
  await write(spec.variables.map((each) => (each.name === setting.name ? setting : each)))
  return { [Symbol.asyncDispose]: () => write(spec.variables) }
}

/** Changes a namespace's labels. */
export async function labelNamespace(
  cluster: KubernetesClient,
  name: string,
  labels: Readonly<Record<string, string | null>>,
): Promise<void> {
  await cluster.send({
    method: 'PATCH',
    path: `/api/v1/namespaces/${name}`,
    contentType: 'application/merge-patch+json',
    body: { metadata: { labels } },
  })
}
