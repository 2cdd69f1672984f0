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
  RELEASE,
} from './support/as-deployer.ts'

// deploy/kubernetes on a real API server, with the deployer's own token.

const OWN = namespaceName('own')
const FOREIGN = namespaceName('foreign')
const ACCOUNT = 'system:serviceaccount:slipway-system:slipway-deployer'
const VERSION = 'pod-security.kubernetes.io/enforce-version'

let admin: ApiClient

/** Whether the API server lets the deployer use a verb in a namespace. */
async function isAllowed(namespace: string, verb: string, name: string): Promise<boolean> {
  const [kind = '', subresource] = name.split('/')
  const [resource, ...group] = kind.split('.')
  const resourceAttributes = { namespace, verb, resource, group: group.join('.'), subresource }
  const groups = [
    'system:serviceaccounts',
    'system:serviceaccounts:slipway-system',
    'system:authenticated',
  ]
  const { status } = (await admin.call(
    'POST',
    '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    { spec: { user: ACCOUNT, groups, resourceAttributes } },
  )) as { status: { allowed: boolean } }
  return status.allowed
}

beforeAll(async () => {
  admin = createApiClient(fromStack('KUBECONFIG'))
  await admin.call('POST', '/api/v1/namespaces', namespaceNamed(FOREIGN))
  const secret = { metadata: { name: 'theirs' }, stringData: { password: 'x' } }
  await admin.call('POST', `/api/v1/namespaces/${FOREIGN}/secrets`, secret)
  expect(await apply(namespaceNamed(OWN, OWN_LABELS))).toBe('ok')
})
afterAll(async () => {
  for (const name of [OWN, FOREIGN]) await admin.call('DELETE', `/api/v1/namespaces/${name}`)
})

describe('in its own namespace', () => {
  test('the deployer can use Secrets and workloads only after it has bound its role', async () => {
    const secrets = `/api/v1/namespaces/${OWN}/secrets`
    expect(await asDeployer('GET', secrets)).toMatch('cannot list resource "secrets"')
    expect(await apply(binding(), OWN)).toBe('ok')
    await expect.poll(async () => await asDeployer('GET', secrets)).toBe('ok')
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'mine' },
      stringData: { a: 'b' },
    }
    expect(await apply(secret, OWN)).toBe('ok')
    expect(await asDeployer('DELETE', `${secrets}/mine`)).toBe('ok')
  })

  test.each([
    ['configmaps', 'get,list,create,patch,delete'],
    ['secrets', 'get,list,create,patch,delete'],
    ['services', 'get,create,patch,delete'],
    ['serviceaccounts', 'get,create,patch'],
    ['persistentvolumeclaims', 'list,patch'],
    ['ingresses.networking.k8s.io', 'get,create,patch,delete'],
    ['networkpolicies.networking.k8s.io', 'get,create,patch,delete'],
    // The deployer may list and watch these everywhere.
    ['deployments.apps', 'get,list,watch,create,patch,delete'],
    ['statefulsets.apps', 'get,list,watch,create,patch,delete'],
    ['jobs.batch', 'get,list,watch,create,patch,delete'],
    ['cronjobs.batch', 'get,list,watch,create,patch,delete'],
    ['pods', 'get,list,watch,delete'],
    ['pods/log', 'get'],
    ['pods/exec', ''],
    ['events', 'list,watch'],
    ['resourcequotas', 'create,patch'],
    ['limitranges', 'create,patch'],
  ])('for %s, the allowed verbs are "%s"', async (resource, verbs) => {
    const all = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection']
    const rules = await Promise.all(
      all.map(async (verb) => ((await isAllowed(OWN, verb, resource)) ? [verb] : [])),
    )
    expect(rules.flat().join()).toBe(verbs)
  })

  test.each([
    ['another role', { role: 'cluster-admin' }, 'is forbidden: user'],
    ['its role to another account', { subject: 'default' }, 'may only bind its role to itself'],
  ])('the deployer can’t bind %s', async (_, change, reason) => {
    expect(await apply(binding(change), OWN)).toMatch(reason)
  })

  test('the deployer can’t remove the label', async () => {
    const unlabeled = await label(OWN, { 'app.kubernetes.io/managed-by': null })
    expect(unlabeled).toMatch('may only change namespaces labeled')
  })
})

// A namespace that enforces less allows pods that control their node.
describe('Pod Security of its namespaces', () => {
  const REFUSED = 'must enforce the latest version of the Pod Security level'

  test.each<[string, Record<string, string>]>([
    ['without a level', {}],
    ['with the level privileged', { [LEVEL]: 'privileged' }],
    ['with an old version of a level', { [LEVEL]: 'baseline', [VERSION]: 'v1.0' }],
  ])('the deployer can’t create a namespace %s', async (_, labels) => {
    const weak = namespaceNamed(namespaceName('weak'), { ...MANAGED, ...RELEASE, ...labels })
    expect(await apply(weak)).toMatch(REFUSED)
  })

  test.each<[string, Record<string, string | null>]>([
    ['lower', { [LEVEL]: 'privileged' }],
    ['remove', { [LEVEL]: null }],
    ['pin', { [VERSION]: 'v1.0' }],
  ])('the deployer can’t %s the level', async (_, changes) => {
    expect(await label(OWN, changes)).toMatch(REFUSED)
  })

  test('the deployer can name the version', async () => {
    const labels = { ...OWN_LABELS, [LEVEL]: 'restricted', [VERSION]: 'latest' }
    expect(await apply(namespaceNamed(OWN, labels))).toBe('ok')
  })

  test('a namespace with baseline may keep it, and only that', async () => {
    const path = `/api/v1/namespaces/${OWN}`
    const labels = { [LEVEL]: 'baseline' }
    await admin.call('PATCH', path, { metadata: { labels } }, 'application/merge-patch+json')
    expect(await label(OWN, { 'slipway.dev/agent': 'own' })).toBe('ok')
    expect(await label(OWN, { [LEVEL]: 'privileged' })).toMatch(REFUSED)
    expect(await label(OWN, { [LEVEL]: 'restricted' })).toBe('ok')
    expect(await label(OWN, { [LEVEL]: 'baseline' })).toMatch(REFUSED)
  })
})

describe('in other namespaces', () => {
  test.each([FOREIGN, 'kube-system', 'slipway-system', 'default'])(
    'the deployer can’t bind its role in %s',
    async (name) => {
      expect(await apply(binding(), name)).toMatch('may only bind its role in namespaces labeled')
    },
  )

  test.each([FOREIGN, 'kube-system', 'slipway-system'])(
    'the deployer can’t read Secrets and ConfigMaps of %s',
    async (name) => {
      for (const kind of ['secrets', 'configmaps']) {
        expect(await asDeployer('GET', `/api/v1/namespaces/${name}/${kind}`)).toMatch(
          `cannot list resource "${kind}"`,
        )
      }
      expect(await asDeployer('GET', `/api/v1/namespaces/${FOREIGN}/secrets/theirs`)).toMatch(
        'cannot get resource "secrets"',
      )
    },
  )

  test('the deployer can’t label or delete a namespace', async () => {
    const refusals = [
      await label(FOREIGN, MANAGED),
      await apply(namespaceNamed(FOREIGN, OWN_LABELS)),
      await asDeployer('DELETE', `/api/v1/namespaces/${FOREIGN}`),
    ]
    for (const refusal of refusals) expect(refusal).toMatch('may only change namespaces labeled')
  })

  test('the deployer can’t create a namespace without its label', async () => {
    expect(await apply(namespaceNamed('unlabeled'))).toMatch('may only change namespaces labeled')
  })
})

test('the deployer can watch workloads everywhere, but can’t change them', async () => {
  const collections = [
    '/apis/apps/v1/deployments',
    '/apis/apps/v1/statefulsets',
    '/apis/batch/v1/jobs',
    '/apis/batch/v1/cronjobs',
    '/api/v1/pods',
  ]
  for (const path of collections)
    expect([path, await asDeployer('GET', path)]).toEqual([path, 'ok'])
  const deletion = await asDeployer('DELETE', `/api/v1/namespaces/${FOREIGN}/pods`)
  expect(deletion).toMatch('cannot deletecollection')
  expect(await isAllowed(FOREIGN, 'delete', 'pods')).toBe(false)
})
