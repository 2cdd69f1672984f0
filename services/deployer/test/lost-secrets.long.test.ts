import { DeployStatus, ResourceStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { keyOf } from '../src/domain/kubernetes-object.ts'
import { deleteObject } from '../src/kubernetes/delete.ts'
import { agentOf, contentOf, failure, type Seen } from './support/agents.ts'
import { startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'

/** An agent without credentials, so that all its Secrets are generated. */
const SPEC = `spec: astro/v1
name: keeper
agent: {image: registry.example/keeper:1, port: 8080}
knowledge:
  db: {provider: postgres, persistent: true}
`

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer()
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

async function deployKeeper(name: string) {
  const agent = agentOf(deployer, owner, name)
  await agent.register('b1', SPEC)
  const { k8sNamespace: namespace } = await agent.deploy({})
  const secrets = () => agent.list('Secret', namespace)
  await waitFor(async () => (await agent.list('PersistentVolumeClaim', namespace)).length > 0, {
    what: 'the claim',
  })
  return {
    agent,
    namespace,
    secrets,
    remove: async (isChosen: (secret: Seen) => boolean) => {
      for (const secret of (await secrets()).filter(isChosen))
        await deleteObject(deployer.cluster, keyOf(secret))
    },
    passwords: async () => contentOf(await secrets()).filter((line) => /password=/i.test(line)),
  }
}

/**
 * Deploys after the previous namespace was deleted. On a busy cluster that takes longer than a
 * deploy waits.
 */
const deployAgain = (agent: ReturnType<typeof agentOf>) =>
  waitFor(() => agent.deploy({}), { what: 'the previous namespace to go' })

const isPassword = ({ metadata: { name } }: Seen) => name.endsWith('-password')

test('recovers a generated password from the Secret that the store reads', async () => {
  const { agent, passwords, remove } = await deployKeeper('recovered')
  const before = await passwords()
  expect(before).toContainEqual(expect.stringMatching(/^password=/))
  await remove(isPassword)
  const again = await agent.deploy({})
  expect(again).toMatchObject({ status: DeployStatus.SUCCESS, revision: 1 })
  const changed = again.resources.filter(({ status }) => status !== ResourceStatus.UNCHANGED)
  expect(changed).toMatchObject([
    { kind: 'Secret', name: 'recovered-knowledge-db-password', status: ResourceStatus.CREATED },
  ])
  expect(await passwords()).toEqual(before)
})

test('does not replace a lost password while the volume needs it', async () => {
  const { agent, secrets, remove } = await deployKeeper('locked')
  await remove(() => true)
  const calls = [
    () => agent.deploy({}),
    () => agent.validate({}, { dryRunServer: true }),
    () => agent.rotate(),
  ]
  for (const call of calls) {
    expect(await failure(call())).toMatchObject({
      reason: 'credentials_lost',
      metadata: { keys: 'knowledge.db' },
    })
  }
  expect(await secrets()).toEqual([])
  expect(await agent.validate({})).toMatchObject({ valid: true, buildId: 'b1' })
  await agent.undeploy()
  expect(await deployAgain(agent)).toMatchObject({ status: DeployStatus.SUCCESS, revision: 1 })
})

test('generates a new password when the volume is gone too', async () => {
  const { agent, namespace, passwords } = await deployKeeper('emptied')
  const before = await passwords()
  await deleteObject(deployer.cluster, {
    apiVersion: 'v1',
    kind: 'Namespace',
    namespace: '',
    name: namespace,
  })
  expect(await deployAgain(agent)).toMatchObject({ status: DeployStatus.SUCCESS })
  expect(await passwords()).toHaveLength(before.length)
  expect(await passwords()).not.toEqual(before)
})

test('restores the deployer’s permissions when its role binding was deleted', async () => {
  const { agent, namespace, passwords } = await deployKeeper('disowned')
  const before = await passwords()
  const key = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', namespace }
  await deleteObject(deployer.cluster, { ...key, name: 'slipway-deployer-workloads' })
  const state = { account: owner.account, name: agent.name }
  const warned = await waitFor(
    async () => {
      const { warnings } = await deployer.deployments.getDeployment(state, owner.options)
      return warnings.length > 0 && warnings
    },
    { what: 'the permissions to be gone' },
  )
  expect(warned).toEqual([
    'failures: the deployer has lost its rights in the namespace, so it is not known why ' +
      'components are not ready; a deploy restores them',
  ])
  const again = await agent.deploy({})
  expect(again).toMatchObject({ status: DeployStatus.SUCCESS, revision: 1, errors: [] })
  expect(await passwords()).toEqual(before)
})
