import { waitFor } from '@slipway/testing'
import { fromStack } from '@slipway/testing/from-stack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiClient } from '../kubernetes/client.ts'
import type { ApiClient } from '../kubernetes/client.ts'
import {
  apply,
  asDeployer,
  binding,
  MANAGED,
  namespaceName,
  namespaceNamed,
  OWN_LABELS,
} from './support/as-deployer.ts'

// What someone with the deployer's token can make other software do with objects in its namespaces.

const OWN = namespaceName('objects')
const CORE = `/api/v1/namespaces/${OWN}`
const MERGE = 'application/merge-patch+json'

let admin: ApiClient
beforeAll(async () => {
  admin = createApiClient(fromStack('KUBECONFIG'))
  expect(await apply(namespaceNamed(OWN, OWN_LABELS))).toBe('ok')
  expect(await apply(binding(), OWN)).toBe('ok')
  await waitFor(async () => (await asDeployer('GET', `${CORE}/secrets`)) === 'ok', {
    what: 'the deployer to have its permissions',
  })
})
afterAll(async () => {
  await admin.call('DELETE', `/api/v1/namespaces/${OWN}`)
})

const object = (kind: string, metadata: object, fields: object = {}) => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'tried', ...metadata },
  ...fields,
})

test.each([
  { annotations: { 'replicator.v1.mittwald.de/replicate-from': 'kube-system/x' } },
  { labels: { 'argocd.argoproj.io/instance': 'x' } },
  { finalizers: ['example.com/never'] },
  { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x' }] },
])('a Secret can’t have %j', async (metadata) => {
  expect(await apply(object('Secret', metadata), OWN)).toMatch('own labels and annotations')
})

test('a Secret can’t become a token', async () => {
  const type = 'kubernetes.io/service-account-token'
  const annotations = { 'kubernetes.io/service-account.name': 'default' }
  expect(await apply(object('Secret', { annotations }, { type }), OWN)).toMatch('denied request')
  expect(await apply(object('Secret', {}, { type: 'example.com/x' }), OWN)).toMatch(
    'must have the type Opaque',
  )
  expect(await apply(object('Secret', { labels: MANAGED }), OWN)).toBe('ok')
})

test('a ServiceAccount has no token, no Secrets and no identity of a cloud', async () => {
  const path = `${CORE}/serviceaccounts`
  const metadata = { name: 'tried', labels: MANAGED }
  const body = { metadata, automountServiceAccountToken: false }
  expect(await asDeployer('POST', path, body)).toBe('ok')
  const changed = (change: object) => asDeployer('PATCH', `${path}/tried`, change, MERGE)
  expect(await changed({ automountServiceAccountToken: true })).toMatch('must have no token')
  expect(await changed({ imagePullSecrets: [{ name: 'x' }] })).toMatch('must have no token')
  const annotations = { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/admin' }
  expect(await changed({ metadata: { annotations } })).toMatch('own labels and annotations')
})

describe('a claim', () => {
  const path = `${CORE}/persistentvolumeclaims`
  const spec = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: 'held-back',
  }
  beforeAll(async () => {
    await admin.call('POST', path, { metadata: { name: 'held' }, spec })
  })

  test.each([
    { spec: { volumeName: 'of-others' } },
    { metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'control-plane' } } },
  ])('can’t be changed to %j', async (change) => {
    expect(await asDeployer('PATCH', `${path}/held`, change, MERGE)).toMatch('denied request')
  })
})

test('limits and policies of an administrator stay', async () => {
  const metadata = { name: 'of-admin' }
  await admin.call('POST', `${CORE}/resourcequotas`, { metadata, spec: { hard: { pods: '1' } } })
  const isolation = `/apis/networking.k8s.io/v1/namespaces/${OWN}/networkpolicies`
  await admin.call('POST', isolation, { metadata, spec: { podSelector: {} } })
  const quota = { spec: { hard: { pods: '100' } } }
  const REFUSED = 'may only change limits and network policies labeled'
  expect(await asDeployer('PATCH', `${CORE}/resourcequotas/of-admin`, quota, MERGE)).toMatch(
    REFUSED,
  )
  const open = { spec: { egress: [{}] } }
  expect(await asDeployer('PATCH', `${isolation}/of-admin`, open, MERGE)).toMatch(REFUSED)
  expect(await asDeployer('DELETE', `${isolation}/of-admin`)).toMatch(REFUSED)
})

test.each([
  ['apps/v1', 'daemonsets'],
  ['apps/v1', 'replicasets'],
  ['v1', 'endpoints'],
  ['v1', 'persistentvolumeclaims'],
  ['v1', 'pods'],
  ['v1', 'podtemplates'],
  ['v1', 'replicationcontrollers'],
  ['discovery.k8s.io/v1', 'endpointslices'],
])('the role doesn’t create %s %s', async (group, resource) => {
  const root = group === 'v1' ? '/api/v1' : `/apis/${group}`
  const path = `${root}/namespaces/${OWN}/${resource}`
  expect(await asDeployer('POST', path, { metadata: { name: 'tried' } })).toMatch(
    `cannot create resource "${resource}"`,
  )
})
