import { waitFor } from '@slipway/testing'
import { fromStack } from '@slipway/testing/from-stack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiClient } from '../kubernetes/client.ts'
import type { ApiClient } from '../kubernetes/client.ts'
import {
  apply,
  asDeployer,
  binding,
  label,
  LEVEL,
  MANAGED,
  namespaceName,
  namespaceNamed,
  OWN_LABELS,
  RELEASE_LABEL,
} from './support/as-deployer.ts'

// What someone with the deployer's token can do to another release in the cluster, and to others.

const OWN = namespaceName('own')
const THEIRS = namespaceName('theirs')
const OLDER = namespaceName('older')
const NOT_OWN = 'may only change namespaces labeled'
const MERGE = 'application/merge-patch+json'

let admin: ApiClient
beforeAll(async () => {
  admin = createApiClient(fromStack('KUBECONFIG'))
  const theirs = { ...OWN_LABELS, [RELEASE_LABEL]: 'team-slipway' }
  await admin.call('POST', '/api/v1/namespaces', namespaceNamed(THEIRS, theirs))
  const older = { ...MANAGED, [LEVEL]: 'restricted' }
  await admin.call('POST', '/api/v1/namespaces', namespaceNamed(OLDER, older))
  const secret = { metadata: { name: 'theirs' }, stringData: { password: 'x' } }
  await admin.call('POST', `/api/v1/namespaces/${THEIRS}/secrets`, secret)
  expect(await apply(namespaceNamed(OWN, OWN_LABELS))).toBe('ok')
  expect(await apply(binding(), OWN)).toBe('ok')
  const secrets = `/api/v1/namespaces/${OWN}/secrets`
  await waitFor(async () => (await asDeployer('GET', secrets)) === 'ok', {
    what: 'the deployer to have its permissions',
  })
})
afterAll(async () => {
  for (const name of [OWN, THEIRS, OLDER]) await admin.call('DELETE', `/api/v1/namespaces/${name}`)
})

describe('a namespace of another release', () => {
  test('can’t be bound, read or deleted', async () => {
    expect(await apply(binding(), THEIRS)).toMatch(
      'may only bind its role in namespaces labeled app.kubernetes.io/managed-by=slipway and ' +
        'slipway.dev/release=slipway-system-slipway',
    )
    const read = await asDeployer('GET', `/api/v1/namespaces/${THEIRS}/secrets/theirs`)
    expect(read).toMatch('cannot get resource "secrets"')
    expect(await asDeployer('DELETE', `/api/v1/namespaces/${THEIRS}`)).toMatch(NOT_OWN)
    expect(await admin.call('GET', `/api/v1/namespaces/${THEIRS}/secrets/theirs`)).toMatchObject({
      data: { password: Buffer.from('x').toString('base64') },
    })
  })

  test.each([
    [RELEASE_LABEL, 'slipway-system-slipway'],
    [RELEASE_LABEL, null],
    ['slipway.dev/agent', 'other'],
  ])('can’t be labeled with %s=%s', async (key, value) => {
    expect(await label(THEIRS, { [key]: value })).toMatch(NOT_OWN)
  })
})

test('a namespace without a release gets its label once, and before anything else', async () => {
  const labelOlder = async (value: string | null) => await label(OLDER, { [RELEASE_LABEL]: value })
  expect(await asDeployer('DELETE', `/api/v1/namespaces/${OLDER}`)).toMatch(NOT_OWN)
  expect(await apply(binding(), OLDER)).toMatch('may only bind its role in namespaces labeled')
  expect(await labelOlder('team-slipway')).toMatch(NOT_OWN)
  expect(await labelOlder('slipway-system-slipway')).toBe('ok')
  expect(await labelOlder('team-slipway')).toMatch(NOT_OWN)
  expect(await labelOlder(null)).toMatch(NOT_OWN)
})

describe('a new namespace', () => {
  test.each(['kube-evil12', 'agent-without-hash', 'monitoring'])(
    'can’t have the name %s',
    async (name) => {
      const refusal = await apply(namespaceNamed(name, OWN_LABELS))
      expect(refusal).toMatch('may only create namespaces named agent-AGENT-HASH')
    },
  )

  test.each(['name', 'admission.gatekeeper.sh/ignore', 'istio-injection'])(
    'can’t have the label %s',
    async (label) => {
      const labels = { ...OWN_LABELS, [label]: 'monitoring' }
      const refusal = await apply(namespaceNamed(namespaceName('labeled'), labels))
      expect(refusal).toMatch('may only set its own labels of a namespace, and no annotations')
    },
  )

  test('can’t have the level baseline, nor get it later', async () => {
    const NOT_ALLOWED = 'restricted, or baseline where the operator allows it'
    const labels = { ...OWN_LABELS, [LEVEL]: 'baseline' }
    expect(await apply(namespaceNamed(namespaceName('low'), labels))).toMatch(NOT_ALLOWED)
    expect(await label(OWN, { [LEVEL]: 'baseline' })).toMatch(NOT_ALLOWED)
    expect(await label(OLDER, { 'slipway.dev/agent': 'x', [LEVEL]: 'baseline' })).toMatch('denied')
  })

  test('can’t have annotations', async () => {
    const namespace = namespaceNamed(namespaceName('annotated'), OWN_LABELS)
    const annotations = { 'scheduler.alpha.kubernetes.io/node-selector': 'pool=system' }
    const metadata = { ...namespace.metadata, annotations }
    expect(await apply({ ...namespace, metadata })).toMatch('and no annotations')
  })

  test.each([
    { finalizers: ['example.com/never'] },
    { ownerReferences: [{ apiVersion: 'v1', kind: 'Namespace', name: 'x', uid: 'x' }] },
  ])('can’t have %j, nor get them later', async (change) => {
    const REFUSED = 'may not change the finalizers or owners'
    const namespace = namespaceNamed(namespaceName('kept'), OWN_LABELS)
    const metadata = { ...namespace.metadata, ...change }
    expect(await apply({ ...namespace, metadata })).toMatch(REFUSED)
    expect(await apply(namespaceNamed(OWN, OWN_LABELS))).toBe('ok')
    const path = `/api/v1/namespaces/${OWN}`
    const later = await asDeployer('PATCH', path, { metadata: change }, MERGE)
    expect(later).toMatch(REFUSED)
  })
})

test('a finalizer of a namespace that an administrator has set stays', async () => {
  const path = `/api/v1/namespaces/${OWN}`
  const finalizers = (values: readonly string[]) => ({ metadata: { finalizers: values } })
  await admin.call('PATCH', path, finalizers(['example.com/held']), MERGE)
  try {
    expect(await asDeployer('PATCH', path, finalizers([]), MERGE)).toMatch('finalizers or owners')
    expect(await apply(namespaceNamed(OWN, OWN_LABELS))).toBe('ok')
  } finally {
    await admin.call('PATCH', path, finalizers([]), MERGE)
  }
})

test('labels of a namespace that an administrator has set stay, and may only stay', async () => {
  const path = `/api/v1/namespaces/${OWN}`
  const labels = { ...OWN_LABELS, team: 'a' }
  await admin.call('PUT', path, namespaceNamed(OWN, labels))
  expect(await apply(namespaceNamed(OWN, OWN_LABELS))).toBe('ok')
  for (const team of ['b', null]) expect(await label(OWN, { team })).toMatch('denied request')
  expect(await admin.call('GET', path)).toMatchObject({ metadata: { labels } })
})

describe('Services', () => {
  const service = (spec: object, annotations = {}) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', annotations },
    spec: { ports: [{ port: 80 }], ...spec },
  })
  const REFUSED = 'may only set the fields of Services that deploys need'

  test.each([
    [{ type: 'NodePort' }],
    [{ type: 'LoadBalancer' }],
    [{ type: 'ExternalName', externalName: 'postgres.example.com' }],
    [{ externalIPs: ['203.0.113.7'] }],
  ])('with %j are refused, also as an update', async (spec) => {
    expect(await apply(service(spec), OWN)).toMatch(REFUSED)
    const present = { ...service({}), metadata: { name: 'present' } }
    expect(await apply(present, OWN)).toBe('ok')
    expect(await apply({ ...present, spec: service(spec).spec }, OWN)).toMatch(REFUSED)
  })

  test('can’t ask for a name in DNS', async () => {
    const annotations = { 'external-dns.alpha.kubernetes.io/hostname': 'api.example.com' }
    expect(await apply(service({}, annotations), OWN)).toMatch('own labels and annotations')
  })

  test('of a deploy are accepted', async () => {
    const headless = service({ clusterIP: 'None' }, { 'slipway.dev/build-id': 'b1' })
    expect(await apply(headless, OWN)).toBe('ok')
  })
})

describe('Ingresses', () => {
  const HOST = 'web-0123456789abcdef.slipway.localhost'
  const service = { name: 'web', port: { number: 80 } }
  const http = { paths: [{ path: '/', pathType: 'Prefix', backend: { service } }] }
  const ingress = (spec: object, annotations = {}) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web', annotations },
    spec,
  })

  test.each([
    ['the API', { rules: [{ host: 'api.slipway.localhost', http }] }],
    ['another domain', { rules: [{ host: 'web-0123456789abcdef.example.com', http }] }],
    ['all hosts', { rules: [{ http }] }],
    ['all other hosts', { defaultBackend: { service } }],
    ['a wildcard', { rules: [{ host: '*.slipway.localhost', http }] }],
    [
      'the API’s TLS',
      { rules: [{ host: HOST, http }], tls: [{ hosts: ['api.slipway.localhost'] }] },
    ],
    ['all TLS', { rules: [{ host: HOST, http }], tls: [{ secretName: 'mine' }] }],
  ])('for %s are refused', async (_what, spec) => {
    expect(await apply(ingress(spec), OWN)).toMatch('may only serve hosts of exposed components')
  })

  test('can’t choose another controller, or something else than a Service', async () => {
    const REFUSED = 'may only serve Services, below the path /, with the class of its operator'
    const rules = [{ host: HOST, http }]
    expect(await apply(ingress({ ingressClassName: 'other', rules }), OWN)).toMatch(REFUSED)
    const resource = { apiGroup: 'example.com', kind: 'Bucket', name: 'x' }
    const paths = [{ path: '/', pathType: 'Prefix', backend: { resource } }]
    const foreign = { ingressClassName: 'slipway-local', rules: [{ host: HOST, http: { paths } }] }
    expect(await apply(ingress(foreign), OWN)).toMatch(REFUSED)
  })

  test.each([
    { path: '/"; }' },
    { path: '/~*(.*)', pathType: 'ImplementationSpecific' },
    { path: '/', pathType: 'ImplementationSpecific' },
  ])('can’t have the path %j, which a controller may take for configuration', async (change) => {
    const rules = [{ host: HOST, http: { paths: [{ ...http.paths[0], ...change }] } }]
    const refusal = await apply(ingress({ ingressClassName: 'slipway-local', rules }), OWN)
    expect(refusal).toMatch('may only serve Services, below the path /')
  })

  test('can’t configure the Ingress controller', async () => {
    const annotations = { 'nginx.ingress.kubernetes.io/server-alias': 'api.slipway.localhost' }
    const spec = { ingressClassName: 'slipway-local', rules: [{ host: HOST, http }] }
    expect(await apply(ingress(spec, annotations), OWN)).toMatch('that its operator has set')
  })

  test('of a deploy are accepted', async () => {
    const rules = [{ host: HOST, http }]
    const spec = { ingressClassName: 'slipway-local', rules, tls: [{ hosts: [HOST] }] }
    expect(await apply(ingress(spec, { 'slipway.dev/build-id': 'b1' }), OWN)).toBe('ok')
  })
})
