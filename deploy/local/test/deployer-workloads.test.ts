import { waitFor } from '@slipway/testing'
import { fromStack } from '@slipway/testing/from-stack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiClient } from '../kubernetes/client.ts'
import type { ApiClient } from '../kubernetes/client.ts'
import {
  apply,
  asDeployer,
  binding,
  namespaceName,
  namespaceNamed,
  OWN_LABELS,
} from './support/as-deployer.ts'

// What pods someone with the deployer's token can start.

const OWN = namespaceName('pods')
const REFUSED = 'may only set the fields of pods that deploys need'

let admin: ApiClient
beforeAll(async () => {
  admin = createApiClient(fromStack('KUBECONFIG'))
  expect(await apply(namespaceNamed(OWN, OWN_LABELS))).toBe('ok')
  expect(await apply(binding(), OWN)).toBe('ok')
  const secrets = `/api/v1/namespaces/${OWN}/secrets`
  await waitFor(async () => (await asDeployer('GET', secrets)) === 'ok', {
    what: 'the deployer to have its permissions',
  })
})
afterAll(async () => {
  await admin.call('DELETE', `/api/v1/namespaces/${OWN}`)
})

const labels = { 'app.kubernetes.io/instance': OWN }
const selector = { matchLabels: labels }

/** A pod template with these fields. */
function templateOf(fields: object) {
  const securityContext = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } }
  const image = 'registry.example.com/agent:1'
  const spec = {
    automountServiceAccountToken: false,
    restartPolicy: 'Never',
    securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
    containers: [{ name: 'agent', image, securityContext }],
    ...fields,
  }
  return { metadata: { labels }, spec }
}

/** A workload of each kind. None runs a pod. */
const WORKLOADS = {
  Deployment: (fields: object) => {
    const template = templateOf({ restartPolicy: 'Always', ...fields })
    return { apiVersion: 'apps/v1', spec: { replicas: 0, selector, template } }
  },
  StatefulSet: (fields: object) => {
    const template = templateOf({ restartPolicy: 'Always', ...fields })
    return { apiVersion: 'apps/v1', spec: { replicas: 0, selector, serviceName: 'x', template } }
  },
  Job: (fields: object) => ({
    apiVersion: 'batch/v1',
    spec: { suspend: true, template: templateOf(fields) },
  }),
  CronJob: (fields: object) => ({
    apiVersion: 'batch/v1',
    spec: {
      schedule: '0 0 1 1 *',
      suspend: true,
      jobTemplate: { spec: { template: templateOf(fields) } },
    },
  }),
}
const KINDS = Object.keys(WORKLOADS) as (keyof typeof WORKLOADS)[]

async function applyWorkload(kind: keyof typeof WORKLOADS, name: string, fields: object) {
  return await apply({ ...WORKLOADS[kind](fields), kind, metadata: { name } }, OWN)
}

describe.each(KINDS)('a %s', (kind) => {
  test.each([
    { priorityClassName: 'system-node-critical' },
    { nodeName: 'control-plane' },
    { tolerations: [{ operator: 'Exists' }] },
    { runtimeClassName: 'privileged' },
    { schedulerName: 'other' },
    { nodeSelector: { pool: 'system' } },
    { affinity: { nodeAffinity: {} } },
    { hostNetwork: true },
    { automountServiceAccountToken: true },
    { volumes: [{ name: 'x', nfs: { server: '192.0.2.1', path: '/' } }] },
  ])('with %j is refused', async (fields) => {
    expect(await applyWorkload(kind, 'new', fields)).toMatch(REFUSED)
  })

  test('with a volume of the node is refused', async () => {
    const volumes = [{ name: 'root', hostPath: { path: '/' } }]
    expect(await applyWorkload(kind, 'new', { volumes })).toMatch(`${REFUSED}, so not: volumes`)
  })

  test('without the limits of its container is refused', async () => {
    const containers = [{ name: 'agent', image: 'registry.example.com/agent:1' }]
    expect(await applyWorkload(kind, 'new', { containers })).toMatch(
      `${REFUSED}, so not: agent.securityContext (missing)`,
    )
  })

  test('as a deploy makes it is accepted, and can’t be changed to such a one', async () => {
    const volumes = [{ name: 'scratch', emptyDir: {} }]
    expect(await applyWorkload(kind, 'present', { volumes })).toBe('ok')
    expect(await applyWorkload(kind, 'present', { volumes, enableServiceLinks: false })).toMatch(
      // The template of a Job never changes.
      kind === 'Job' ? 'field is immutable' : /^ok$/,
    )
    const tolerations = [{ operator: 'Exists' }]
    expect(await applyWorkload(kind, 'present', { volumes, tolerations })).toMatch(REFUSED)
  })
})

test('a Job has no deadline of its pod', async () => {
  expect(await applyWorkload('Job', 'new', { activeDeadlineSeconds: 1 })).toMatch(REFUSED)
})

test.each([
  { annotations: { 'k8s.v1.cni.cncf.io/networks': 'host' } },
  { labels: { ...labels, 'azure.workload.identity/use': 'true' } },
  { finalizers: ['example.com/never'] },
  { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x' }] },
])('pods can’t have %j', async (metadata) => {
  const { spec, ...rest } = WORKLOADS.Deployment({})
  const template = { ...spec.template, metadata: { labels, ...metadata } }
  const workload = { ...rest, kind: 'Deployment', spec: { ...spec, template } }
  expect(await apply({ ...workload, metadata: { name: 'new' } }, OWN)).toMatch(
    'may only set its own labels of pods, and no annotations',
  )
})

test('what an administrator has set stays, and may only stay', async () => {
  const path = `/apis/apps/v1/namespaces/${OWN}/deployments`
  const tolerations = [{ key: 'gpu', operator: 'Exists' }]
  expect(await applyWorkload('Deployment', 'tolerant', {})).toBe('ok')
  const change = { spec: { template: { spec: { tolerations } } } }
  await admin.call('PATCH', `${path}/tolerant`, change, 'application/merge-patch+json')
  expect(await applyWorkload('Deployment', 'tolerant', { enableServiceLinks: false })).toBe('ok')
  const others = [{ key: 'other', operator: 'Exists' }]
  expect(await applyWorkload('Deployment', 'tolerant', { tolerations: others })).toMatch(
    'Apply failed with 1 conflict',
  )
  expect(await admin.call('GET', `${path}/tolerant`)).toMatchObject(change)
})
