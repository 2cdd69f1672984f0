import { waitFor } from '@slipway/testing'

import { cluster, find } from './cluster.ts'

const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'
const BINDINGS = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings'

/** Why the cluster refuses the services. */
export const REFUSAL = 'services are not welcome here'

/**
 * Lets the cluster refuse the services of an agent, so that its deploys succeed in part, until this
 * is disposed of.
 */
export async function refuseServicesOf(agent: string): Promise<AsyncDisposable> {
  const policy = `e2e-no-service-for-${agent}`
  const labels = { 'slipway.dev/agent': agent }
  await cluster.call('POST', POLICIES, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: policy },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        objectSelector: { matchLabels: labels },
        resourceRules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE', 'UPDATE'],
            resources: ['services'],
          },
        ],
      },
      validations: [{ expression: 'false', message: REFUSAL }],
    },
  })
  await cluster.call('POST', BINDINGS, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: policy },
    spec: { policyName: policy, validationActions: ['Deny'] },
  })
  // The API server takes a moment to compile a policy; then it rejects a dry run.
  const probe = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'probe', labels },
    spec: { ports: [{ port: 1 }] },
  }
  const isRefused = () =>
    cluster.call('POST', '/api/v1/namespaces/default/services?dryRun=All', probe).then(
      () => false,
      (error: Error) => error.message.includes(REFUSAL),
    )
  await waitFor(isRefused, { what: 'the policy to be in force' })
  return {
    [Symbol.asyncDispose]: async () => {
      for (const path of [`${BINDINGS}/${policy}`, `${POLICIES}/${policy}`])
        if ((await find(path)) !== undefined) await cluster.call('DELETE', path)
    },
  }
}
