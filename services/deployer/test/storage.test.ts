import { randomBytes } from 'node:crypto'

import { DeployStatus, ResourceStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { RevisionState } from '@slipway/proto/slipway/deployer/v1/revision'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { agentOf, failure } from './support/agents.ts'
import { setInPolicy } from './support/admission.ts'
import { startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'

const CLASSES = '/apis/storage.k8s.io/v1/storageclasses'
const expandable = `expandable-${randomBytes(4).toString('hex')}`

let deployer: TestDeployer
let owner: Person
let allowed: AsyncDisposable
beforeAll(async () => {
  deployer = await startTestDeployer({ STORAGE_CLASSES: expandable })
  owner = await deployer.signIn('owner')
  // The local cluster's provisioner, with a storage class that allows expansion.
  const body = {
    metadata: { name: expandable },
    provisioner: 'slipway.dev/local-directory',
    allowVolumeExpansion: true,
  }
  await deployer.cluster.send({ method: 'POST', path: CLASSES, body })
  allowed = await setInPolicy(deployer.cluster, 'slipway-deployer-workloads', {
    name: 'storageClasses',
    expression: `['${expandable}']`,
  })
})
afterAll(async () => {
  await allowed[Symbol.asyncDispose]()
  // Existing volumes don't need their storage class.
  await deployer.cluster.send({ method: 'DELETE', path: `${CLASSES}/${expandable}` })
  await deployer[Symbol.asyncDispose]()
})

async function deployStore(name: string, storageClass?: string) {
  const agent = agentOf(deployer, owner, name)
  const spec = `spec: astro/v1
name: ${name}
agent: {image: registry.example/store:1}
knowledge:
  store:
    container: {image: registry.example/store:1, persistent: true, volume: /data}
    persistent: true
`
  await agent.register('b1', spec)
  const resize = (size: string, more = {}) =>
    agent.deploy(
      {},
      { overridesJson: JSON.stringify({ 'knowledge.store.storage.size': size, ...more }) },
    )
  const more = storageClass === undefined ? {} : { 'knowledge.store.storage.class': storageClass }
  let first = await resize('1Gi', more)
  await waitFor(
    async () => {
      if (first.status !== DeployStatus.SUCCESS) first = await resize('1Gi', more)
      return first.status === DeployStatus.SUCCESS
    },
    { what: 'the policy of workloads to allow the storage class' },
  )
  const claim = async () => (await agent.list('PersistentVolumeClaim', first.k8sNamespace))[0]
  await waitFor(async () => (await claim())?.status?.['phase'] === 'Bound', {
    what: 'the claim to be bound',
  })
  return { agent, resize, claim, name: `data-${name}-knowledge-store-0` }
}

const requests = (size: string) => ({ spec: { resources: { requests: { storage: size } } } })

test('a volume can only have a storage class that the operator allows', async () => {
  const agent = agentOf(deployer, owner, 'classy')
  const tools = 'tools: {t: {container: {image: registry.example/t:1, persistent: true}}}'
  await agent.register('b1', `spec: astro/v1\nname: classy\nagent: {image: x}\n${tools}`)
  const overridesJson = JSON.stringify({ 'tools.t.storage.class': 'expensive' })
  expect(await failure(agent.deploy({}, { overridesJson }))).toMatchObject({
    reason: 'validation_failed',
    violations: [
      {
        field: 'tools.t.storage.class',
        description:
          `is not allowed; use one of ${expandable}, ` +
          'or ask the operator to add it to STORAGE_CLASSES',
      },
    ],
  })
})

describe('enlarging a volume', () => {
  test('resizes the claim if its storage class allows it, and never shrinks it', async () => {
    const { agent, resize, claim, name } = await deployStore('grown', expandable)
    const before = await claim()
    const larger = await resize('3Gi')
    expect(larger).toMatchObject({ status: DeployStatus.SUCCESS, errors: [] })
    expect(larger.resources).toContainEqual(
      expect.objectContaining({
        kind: 'PersistentVolumeClaim',
        name,
        status: ResourceStatus.UPDATED,
      }),
    )
    expect(await claim()).toMatchObject({
      metadata: { uid: before?.metadata.uid },
      ...requests('3Gi'),
    })
    expect(await failure(resize('2Gi'))).toMatchObject({
      reason: 'validation_failed',
      violations: [
        {
          field: 'knowledge.store.storage.size',
          description: 'must be at least 3Gi, the size of the existing volume',
        },
      ],
    })
    const back = await agent.rollback({ revision: 1 })
    expect(back).toMatchObject({ status: DeployStatus.SUCCESS })
    expect(await claim()).toMatchObject(requests('3Gi'))
  })

  test('is reported as failed if its storage class does not allow it', async () => {
    const { agent, resize, claim, name } = await deployStore('fixed')
    const problem =
      `PersistentVolumeClaim/${name}: the volume stays at 1Gi: ` +
      'its storage class does not allow expansion'
    const overridesJson = '{"knowledge.store.storage.size": "3Gi"}'
    const validated = await agent.validate(
      {},
      {
        dryRunServer: true,
        target: { account: owner.account, name: agent.name, overridesJson },
      },
    )
    expect(validated).toMatchObject({ valid: true, warnings: [problem] })
    for (const size of ['3Gi', '3Gi']) {
      expect(await resize(size)).toMatchObject({
        status: DeployStatus.PARTIAL,
        errors: [problem],
      })
    }
    expect(await agent.revisions()).toMatchObject([{ state: RevisionState.PARTIAL }, {}])
    expect(await claim()).toMatchObject(requests('1Gi'))
    expect(await resize('1Gi')).toMatchObject({ status: DeployStatus.SUCCESS, errors: [] })
  })
})
