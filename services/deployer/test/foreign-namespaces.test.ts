import { namespaceName } from '@slipway/agent-spec'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { deleteObject } from '../src/kubernetes/delete.ts'
import { readObject } from '../src/kubernetes/read.ts'
import { agentOf, listIn } from './support/agents.ts'
import { outcomeOf, type Person, type TestDeployer } from './support/deployer.ts'
import { startFullDeployer } from './support/full-deployer.ts'
import { PLAIN_SPEC } from './support/specs.ts'

// A name proves nothing: what the deployer uses or deletes must belong to the deployment.

let deployer: TestDeployer
let owner: Person
const made: string[] = []
beforeAll(async () => {
  ;({ deployer, owner } = await startFullDeployer())
})
afterAll(async () => {
  for (const name of made) await deleteObject(deployer.cluster, keyOf(name))
  await deployer[Symbol.asyncDispose]()
})

const keyOf = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name })
const uidOf = async (name: string) =>
  (await readObject(deployer.cluster, keyOf(name)))?.metadata.uid

async function registered(name: string) {
  const agent = agentOf(deployer, owner, name)
  await agent.register('b1', PLAIN_SPEC)
  const ids = { accountId: owner.accountId, sourceAccountId: owner.accountId, agent: name }
  return { agent, namespace: namespaceName(ids) }
}

/** Creates a namespace of somebody else and returns its uid. */
async function makeForeign(name: string, labels: object): Promise<string | undefined> {
  const body = { metadata: { name, labels } }
  await deployer.cluster.send({ method: 'POST', path: '/api/v1/namespaces', body })
  made.push(name)
  return await uidOf(name)
}

const FOREIGN: readonly (readonly [string, string, object])[] = [
  ['without labels', 'bare', {}],
  ['of another system', 'other-system', { 'app.kubernetes.io/managed-by': 'Helm' }],
  [
    'of another deployment',
    'other-deployment',
    {
      'app.kubernetes.io/managed-by': 'slipway',
      'slipway.dev/agent': 'other',
      'slipway.dev/deployment-id': '00000000-0000-4000-8000-000000000000',
    },
  ],
]

describe('a namespace that has the name of a deployment’s', () => {
  test.each(FOREIGN)('%s is not used by a deploy', async (_what, name, labels) => {
    const { agent, namespace } = await registered(name)
    const uid = await makeForeign(namespace, labels)
    expect(await outcomeOf(agent.deploy())).toBe('namespace_taken')
    expect(await outcomeOf(agent.get())).toBe('deployment_not_found')
    expect(await uidOf(namespace)).toBe(uid)
    expect(await listIn(deployer.cluster, 'Secret', namespace)).toEqual([])
    expect(await listIn(deployer.cluster, 'Deployment', namespace)).toEqual([])
  })

  test.each([
    ['without labels', 'won'],
    ['of another deployment', 'namespace_taken'],
  ])('%s is not deleted by an undeploy', async (what, outcome) => {
    const [, name = '', labels = {}] = FOREIGN.find(([each]) => each === what) ?? []
    const { agent, namespace } = await registered(`replaced-${name}`)
    await agent.deploy()
    await deleteObject(deployer.cluster, keyOf(namespace))
    await waitFor(async () => (await uidOf(namespace)) === undefined, {
      what: 'the namespace to be deleted',
    })
    const uid = await makeForeign(namespace, labels)
    expect(await outcomeOf(agent.deploy({ API_TOKEN: 'other-value' }))).toBe('namespace_taken')
    expect(await outcomeOf(agent.undeploy())).toBe(outcome)
    const found = await readObject(deployer.cluster, keyOf(namespace))
    expect(found?.metadata.uid).toBe(uid)
    expect(found?.metadata.deletionTimestamp).toBeUndefined()
  })
})

test('a host name that another deployment has is not served', async () => {
  const [{ agent }, { agent: other }] = [await registered('exposed'), await registered('squatter')]
  const web = { interfaces: { names: ['web'] } }
  const { serviceEndpoints, k8sNamespace } = await agent.deploy({ API_TOKEN: 'x' }, web)
  const [host = ''] = serviceEndpoints.flatMap(({ url }) =>
    url.includes('.slipway.localhost') ? [new URL(url).host] : [],
  )
  const ingressHosts = async () => JSON.stringify(await agent.list('Ingress', k8sNamespace))
  expect(await ingressHosts()).toContain(host)
  await other.deploy({ API_TOKEN: 'x' })
  // Names of hosts contain a hash of the namespace, so only a collision leads here.
  const rows = deployer.db.selectFrom('deployment').select('id').where('agent', '=', other.name)
  await deployer.db
    .updateTable('ingress_host')
    .set({ deployment_id: (await rows.executeTakeFirstOrThrow()).id })
    .where('host', '=', host)
    .execute()
  expect(await outcomeOf(agent.deploy({ API_TOKEN: 'y' }, web))).toBe('host_taken')
  expect(await agent.revisions()).toHaveLength(1)
  // The other deployment releases what it doesn't need.
  await other.deploy({ API_TOKEN: 'x' })
  expect((await agent.deploy({ API_TOKEN: 'y' }, web)).errors).toEqual([])
})
