import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { readConfig } from '@slipway/deployer/config'
import { describe, expect, test } from 'vitest'

import { podsOf, type ChartObject } from './support/objects.ts'
import { example, objectsIn, renderText } from './support/render.ts'

const REFERENCE = resolve(import.meta.dirname, '../../kubernetes')
const RELEASE = { name: 'slipway', namespace: 'slipway-system' }

/** The settings of the local stack, which deploy/kubernetes has. */
const LOCAL = [
  'agents.ingress.domain=slipway.localhost',
  'agents.ingress.className=slipway-local',
  'agents.ingress.peers[0].ipBlock.cidr=10.0.0.1/32',
]

interface PolicySpec {
  readonly variables: readonly { readonly name: string; readonly expression: string }[]
}

const LEAST_SETTINGS = {
  AUTH_ISSUERS: '[{"issuer":"https://login.example.com"}]',
  DATABASE_URL: 'postgres://postgres.example.com/deployer',
  SECRET_NAME_KEY: 'ab'.repeat(32),
  SERVICE_TOKEN_FILE: '/token',
}

async function readReference(): Promise<string> {
  const files = [
    'deployer-exposure.yaml',
    'deployer-objects.yaml',
    'deployer-policies.yaml',
    'deployer-rbac.yaml',
    'deployer-workloads.yaml',
  ]
  const texts = await Promise.all(files.map((file) => readFile(join(REFERENCE, file), 'utf8')))
  return texts.join('---\n')
}

/** The objects that grant or limit the deployer's rights, without labels, by kind and name. */
function rights(text: string): Record<string, unknown> {
  const kinds = /^(ClusterRole|ClusterRoleBinding|ValidatingAdmissionPolicy(Binding)?)$/
  const objects = objectsIn(text).filter(({ kind }) => kinds.test(kind))
  return Object.fromEntries(
    objects.map(({ metadata, ...rest }: ChartObject) => [`${rest.kind}/${metadata.name}`, rest]),
  )
}

test('the deployer has the rights that deploy/kubernetes describes, and no others', async () => {
  const text = await renderText([example('one-node')], LOCAL, RELEASE)
  // Objects without a namespace have the release's in their name.
  const chart = rights(text.replaceAll('slipway-system-slipway-deployer', 'slipway-deployer'))
  expect(chart).toEqual(rights(await readReference()))
  expect(Object.keys(chart)).toHaveLength(15)
})

test.each<[string, string[], typeof RELEASE]>([
  ['a release', [], { name: 'acme', namespace: 'platform' }],
  ['another name', ['fullnameOverride=other'], { name: 'acme', namespace: 'another' }],
])(
  'the policies name the ServiceAccount of the deployer’s pods, for %s',
  async (_, sets, release) => {
    const objects = objectsIn(await renderText([example('one-node')], sets, release))
    const pods = podsOf(objects, release.namespace)
    const { env = [] } = pods.find(({ component }) => component === 'deployer')?.containers[0] ?? {}
    const setting = (name: string) => env.find((variable) => variable.name === name)?.value ?? ''
    const namespace = setting('SERVICE_ACCOUNT_NAMESPACE')
    const name = setting('SERVICE_ACCOUNT_NAME')
    const workload = objects.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === name,
    )
    expect(workload).toMatchObject({ spec: { template: { spec: { serviceAccountName: name } } } })
    const policies = objects.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy')
    expect(policies).toHaveLength(6)
    const user = `system:serviceaccount:${namespace}:${name}`
    for (const policy of policies) {
      expect(policy).toMatchObject({
        spec: {
          matchConditions: [{ expression: `request.userInfo.username == '${user}'` }],
        },
      })
    }
  },
)

test('deploy/kubernetes has the names that are the default settings', async () => {
  const { release, serviceAccount, workloadRole } = readConfig(LEAST_SETTINGS).cluster
  const objects = objectsIn(await readReference())
  const policies = objects.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy')
  const user = `system:serviceaccount:${serviceAccount.namespace}:${serviceAccount.name}`
  for (const policy of policies) expect(JSON.stringify(policy)).toContain(`'${user}'`)
  const variables = policies.flatMap(({ spec }) => (spec as PolicySpec).variables)
  const releases = variables.filter(({ name }) => name === 'release')
  expect(releases.map(({ expression }) => expression)).toEqual([`'${release}'`, `'${release}'`])
  expect(objects).toContainEqual(
    expect.objectContaining({ kind: 'ClusterRole', metadata: { name: workloadRole } }),
  )
})

describe('releases in one cluster', () => {
  test.each([
    [
      { name: 'x-slipway', namespace: 'team' },
      { name: 'slipway', namespace: 'team-x' },
    ],
    [
      { name: 'slipway', namespace: `${'n'.repeat(62)}a` },
      { name: 'slipway', namespace: `${'n'.repeat(62)}b` },
    ],
  ])('have no name in common: %j and %j', async (one, other) => {
    const [names, others] = await Promise.all([clusterNames(one), clusterNames(other)])
    expect(names.objects).toHaveLength(15)
    expect(names.objects.filter((name) => others.objects.includes(name))).toEqual([])
    expect(names.release).not.toBe(others.release)
    for (const { release } of [names, others])
      expect(readConfig({ ...LEAST_SETTINGS, RELEASE_NAME: release }).cluster.release).toBe(release)
  })
})

/** The names of a release's objects without a namespace, and its label. */
async function clusterNames(release: typeof RELEASE) {
  const text = await renderText([example('one-node')], [], release)
  const pods = podsOf(objectsIn(text), release.namespace)
  const { env = [] } = pods.find(({ component }) => component === 'deployer')?.containers[0] ?? {}
  return {
    objects: Object.keys(rights(text)),
    release: env.find(({ name }) => name === 'RELEASE_NAME')?.value ?? '',
  }
}

test('only the deployer has rights', async () => {
  const text = await renderText([example('high-availability')])
  const bindings = objectsIn(text).filter(({ kind }) => kind.endsWith('RoleBinding'))
  expect(bindings.map((binding) => 'subjects' in binding && binding.subjects)).toEqual([
    [{ kind: 'ServiceAccount', name: 'acme-slipway-deployer', namespace: 'platform' }],
  ])
})
