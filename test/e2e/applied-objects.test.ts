import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'

import { personalAccount, request } from '../support/api.ts'
import { appliedFields, hasApplied, type ManagedObject } from '../support/applied-fields.ts'
import { list } from '../support/cluster.ts'

// What a deploy applies, read back from the cluster. An installation must apply the same objects
// wherever it runs: only addresses, ids and generated names may differ.

const NAME = 'applied-objects'
const SPEC = `spec: astro/v1
name: ${NAME}
agent:
  image: registry.example/applied:1
  port: 8080
  healthcheck: {path: /healthz}
  inputs:
    token: {name: API_TOKEN, datatype: string, secret: true}
    greeting: {name: GREETING, datatype: string, default: hello}
knowledge:
  cache: {provider: redis, persistent: true}
  db: {provider: postgres, persistent: true}
tools:
  calculator:
    container:
      image: registry.example/calculator:1
      port: 9000
      environment: {CACHE: "\${knowledge.cache.url}", TOKEN: "Bearer \${credentials.API_TOKEN}"}
ingestion:
  docs:
    container: {image: registry.example/docs:1}
    trigger: {type: manual}
  seed:
    container: {image: registry.example/seed:1}
    trigger: {type: startup}
  nightly:
    container: {image: registry.example/nightly:1}
    trigger: {type: schedule}
`

const MANAGER = 'slipway'

/** What a deploy applies in its namespace, besides the deployer's own permissions. */
const KINDS = [
  ['v1', 'configmaps', 'ConfigMap'],
  ['v1', 'secrets', 'Secret'],
  ['v1', 'serviceaccounts', 'ServiceAccount'],
  ['v1', 'resourcequotas', 'ResourceQuota'],
  ['v1', 'limitranges', 'LimitRange'],
  ['v1', 'services', 'Service'],
  ['apps/v1', 'deployments', 'Deployment'],
  ['apps/v1', 'statefulsets', 'StatefulSet'],
  ['batch/v1', 'cronjobs', 'CronJob'],
  ['batch/v1', 'jobs', 'Job'],
  ['networking.k8s.io/v1', 'ingresses', 'Ingress'],
  ['networking.k8s.io/v1', 'networkpolicies', 'NetworkPolicy'],
] as const

/** Ids of accounts and deployments, and the hashes that end generated names. */
const ID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|(?<=[a-z]-)[\da-f]{12}\b/g

/** The local stack has its own images of stores, which have a digest. */
const STORE = /redis|pgvector/

/** Replaces what settings, secrets and hashes make different. */
function withoutDifferences(this: unknown, key: unknown, value: unknown): unknown {
  const holder = this as { kind?: string; image?: string; ports?: { port: number }[] }
  if (key === 'data' && holder.kind === 'Secret') return Object.keys(value as object)
  if (key === 'slipway.dev/template-hash') return '<hash>'
  if (key === 'OTEL_EXPORTER_OTLP_ENDPOINT') return '<url of observability>'
  if (key === 'to' && holder.ports?.[0]?.port === 4318) return '<observability>'
  if (key === 'to' && holder.ports?.[0]?.port === 53) return '<DNS servers>'
  if (key === 'host') return String(value).replace(/-[\da-f]{16}\./, '-<hash>.')
  // An installation names the adapter by its digest.
  if (key === 'imagePullPolicy' && holder.image?.includes('/web-adapter'))
    return '<by the name of the image>'
  if (key === 'imagePullPolicy' && STORE.test(holder.image ?? '')) return '<policy>'
  if (key === 'image' && STORE.test(String(value))) return `<${STORE.exec(String(value))?.[0]}>`
  if (key === 'image') return String(value).replace(/^.*\/web-adapter[:@].*$/, '<web adapter>')
  return value
}

let account: string
beforeAll(async () => {
  account = await personalAccount('alice')
})
afterAll(async () => {
  await request('POST', '/undeploy', { as: 'alice', body: { account, name: NAME } })
})

test('are the same wherever Slipway runs', async () => {
  const body = { build_id: 'b1', registry: 'https://registry.example', spec_content: SPEC }
  const path = `/agents/${account}/${NAME}/register`
  expect((await request('POST', path, { as: 'alice', body })).status).toBe(201)
  const deployed = await request('POST', '/deploy', {
    as: 'alice',
    body: {
      account,
      name: NAME,
      user_credentials: { API_TOKEN: 'a-secret-value' },
      schedules: { nightly: '0 3 * * *' },
      interfaces: ['web'],
    },
  })
  expect([deployed.status, deployed.body.errors]).toEqual([200, []])
  const namespace: string = deployed.body.k8s_namespace
  const applied: object[] = []
  for (const [apiVersion, plural, kind] of KINDS) {
    const prefix = apiVersion === 'v1' ? '/api' : '/apis'
    const objects = await list<ManagedObject>(
      `${prefix}/${apiVersion}/namespaces/${namespace}/${plural}`,
    )
    for (const object of objects.filter((each) => hasApplied(each, MANAGER)))
      applied.push({ apiVersion, kind, ...appliedFields(object, MANAGER) })
  }
  const text = stringify(applied, withoutDifferences, {
    aliasDuplicateObjects: false,
    lineWidth: 0,
  })
  await expect(
    text.replaceAll(namespace, '<namespace>').replaceAll(ID, '<id>'),
  ).toMatchFileSnapshot('./golden/applied-objects.golden')
})
