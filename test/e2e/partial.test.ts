import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { request } from '../support/api.ts'
import { cluster, find, readyPods } from '../support/cluster.ts'
import {
  API_TOKEN,
  registerSupportAgent,
  undeploy,
  type RegisteredAgent,
} from '../support/support-agent.ts'

const NAME = 'partial-agent'
const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'
const BINDINGS = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings'
const POLICY = 'e2e-no-service-for-partial-agent'
let agent: RegisteredAgent

beforeAll(async () => {
  agent = await registerSupportAgent(NAME)
  await cluster.call('POST', POLICIES, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: POLICY },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        objectSelector: { matchLabels: { 'slipway.dev/agent': NAME } },
        resourceRules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE', 'UPDATE'],
            resources: ['services'],
          },
        ],
      },
      validations: [{ expression: 'false', message: 'services are not welcome here' }],
    },
  })
  await cluster.call('POST', BINDINGS, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: POLICY },
    spec: { policyName: POLICY, validationActions: ['Deny'] },
  })
  // The API server takes a moment to compile a policy; then it rejects a dry run.
  const probe = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'probe', labels: { 'slipway.dev/agent': NAME } },
    spec: { ports: [{ port: 1 }] },
  }
  const isRefused = () =>
    cluster.call('POST', '/api/v1/namespaces/default/services?dryRun=All', probe).then(
      () => false,
      (error: Error) => error.message.includes('services are not welcome here'),
    )
  await waitFor(isRefused, { what: 'the policy to be in force' })
})

async function removePolicy(): Promise<void> {
  for (const path of [`${BINDINGS}/${POLICY}`, `${POLICIES}/${POLICY}`]) {
    if ((await find(path)) !== undefined) await cluster.call('DELETE', path)
  }
}

afterAll(async () => {
  await removePolicy()
  await undeploy(agent)
})

test('reports a rejected object, applies the others, and is completed by a deploy', async () => {
  const body = {
    account: agent.account,
    name: NAME,
    user_credentials: { SUPPORT_API_TOKEN: API_TOKEN },
  }
  const partial = await request('POST', '/deploy', { as: 'alice', body })
  expect([partial.status, partial.body.status]).toEqual([207, 'partial'])
  expect(partial.body.errors).toHaveLength(1)
  expect(partial.body.errors[0]).toMatch(/^Service\/.*services are not welcome here/)
  const failed = partial.body.resources.filter(
    ({ status }: { status: string }) => status === 'failed',
  )
  expect(failed).toEqual([
    expect.objectContaining({
      kind: 'Service',
      message: expect.stringContaining('services are not welcome here'),
    }),
  ])
  await expect.poll(async () => (await readyPods(partial.body.k8s_namespace)).length).toBe(1)

  await removePolicy()
  await expect
    .poll(async () => (await request('POST', '/deploy', { as: 'alice', body })).status)
    .toBe(200)
  const again = await request('POST', '/deploy', { as: 'alice', body })
  expect([again.status, again.body.errors]).toEqual([200, []])
})
