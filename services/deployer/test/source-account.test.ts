import { BuildChoice } from '@slipway/proto/slipway/catalog/v1/build_choice'
import { DeployStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { DeploymentState } from '@slipway/proto/slipway/deployer/v1/deployment'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { agentOf, CREDENTIALS } from './support/agents.ts'
import { outcomeOf, startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'
import { PLAIN_SPEC } from './support/specs.ts'

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer()
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

test('a deploy of another account’s agent uses its latest published build', async () => {
  const source = agentOf(deployer, owner, 'shared')
  await source.register('b1')
  const other = await deployer.signIn('other')
  const target = {
    account: other.account,
    name: 'shared',
    sourceAccount: owner.account,
    userCredentials: CREDENTIALS,
  }
  const deployOther = () => deployer.deployments.deploy({ target }, other.options)
  expect(await outcomeOf(deployOther())).toBe('no_builds')
  await source.publish('b1', '1.0.0')
  await source.register('b2')
  const { result } = await deployOther()
  expect(result).toMatchObject({ status: DeployStatus.SUCCESS, buildId: 'b1' })
  const { deployment } = await deployer.deployments.getDeployment(
    { account: other.account, name: 'shared' },
    other.options,
  )
  expect(deployment).toMatchObject({ sourceAccount: owner.account })
  // Its image does not exist, which the state may show already.
  expect([DeploymentState.PROGRESSING, DeploymentState.FAILED]).toContain(deployment?.state)
  expect(await outcomeOf(source.get())).toBe('deployment_not_found')
  const own = { account: other.account, name: 'shared', userCredentials: CREDENTIALS }
  const register = {
    ...own,
    buildId: 'o1',
    registry: 'oci://registry.example',
    specContent: PLAIN_SPEC,
  }
  await deployer.agents.registerBuild(register, other.options)
  expect(await outcomeOf(deployer.deployments.deploy({ target: own }, other.options))).toBe(
    'deployed_from_other_source',
  )
})

test('a deployment shows the current name of its source account', async () => {
  const source = agentOf(deployer, owner, 'renamed')
  await source.register('b1')
  await source.publish('b1', '1.0.0')
  const other = await deployer.signIn('other')
  const agent = agentOf(deployer, other, 'renamed')
  await agent.deploy(CREDENTIALS, { sourceAccount: owner.account })
  await agent.deploy({ API_TOKEN: 'second-secret-value' }, { sourceAccount: owner.account })
  const own = agentOf(deployer, owner, 'renamed')
  await own.deploy()

  const rename = async (account: string, newName: string) => {
    await deployer.accounts.renameAccount({ account, newName }, owner.options)
    const isRenamed = async () => (await agent.get())?.sourceAccount === newName
    await waitFor(isRenamed, { what: 'the new name' })
  }
  await rename(owner.account, 'once-renamed')
  await rename('once-renamed', 'twice-renamed')
  await agent.rollback({ revision: 1 })
  expect((await agent.get())?.sourceAccount).toBe('twice-renamed')
  const { deployments } = await deployer.deployments.listDeployments(
    { account: 'twice-renamed' },
    owner.options,
  )
  expect(deployments).toMatchObject([{ name: 'renamed', sourceAccount: '' }])
})

test('a version of another account can be named, and the build that runs kept', async () => {
  // The account was renamed.
  const lender = await deployer.signIn('owner')
  const source = agentOf(deployer, lender, 'named')
  await source.register('b1')
  await source.publish('b1', '1.0.0')
  await source.register('b2')
  await source.publish('b2', '2.0.0')
  await source.register('b3')
  const other = await deployer.signIn('chooser')
  const agent = agentOf(deployer, other, source.name)
  const { NEWEST_PUBLISHED, ASKED_FOR, CURRENT } = BuildChoice
  const from = { sourceAccount: lender.account }
  expect(await outcomeOf(agent.deploy(CREDENTIALS, { ...from, buildId: 'b3' }))).toBe(
    'build_not_found',
  )
  expect(await agent.deploy(CREDENTIALS, from)).toMatchObject({
    buildId: 'b2',
    version: '2.0.0',
    buildChoice: NEWEST_PUBLISHED,
  })
  expect(await agent.deploy({}, { ...from, version: '1.0.0' })).toMatchObject({
    revision: 2,
    buildId: 'b1',
    version: '1.0.0',
    buildChoice: ASKED_FOR,
  })
  const more = { overridesJson: '{"agent.replicas": 2}' }
  expect(await agent.deploy({}, { buildId: 'current', ...more })).toMatchObject({
    revision: 3,
    buildId: 'b1',
    version: '1.0.0',
    buildChoice: CURRENT,
  })
  expect((await agent.get())?.sourceAccount).toBe(lender.account)
  const ofOther = { buildId: 'current', sourceAccount: 'no-such' }
  expect(await outcomeOf(agent.deploy({}, ofOther))).toBe('deployed_from_other_source')
  const asOther = { buildId: 'current', version: '2.0.0' }
  expect(await outcomeOf(agent.deploy({}, asOther))).toBe('version_mismatch')

  const current = await agent.currentBuild({ version: '1.0.0' })
  expect([current, JSON.parse(current.templateJson)]).toMatchObject([
    {
      buildId: 'b1',
      version: '1.0.0',
      credentials: [{ key: 'API_TOKEN' }, { key: 'EXTRA_TOKEN' }],
    },
    { source: { account: lender.account, build: 'b1' }, agent: { replicas: 1 } },
  ])
  expect(await outcomeOf(agent.currentBuild({ version: '2.0.0' }))).toBe('version_mismatch')
})

test('the build that runs can be deployed again after it was deleted', async () => {
  const other = await deployer.signIn('remover')
  const agent = agentOf(deployer, other, 'kept')
  await agent.register('b1')
  await agent.deploy()
  await agent.register('b2')
  await deployer.agents.deleteBuild(
    { account: other.account, name: agent.name, buildId: 'b1' },
    other.options,
  )
  expect(await outcomeOf(agent.deploy({}, { buildId: 'b1' }))).toBe('build_not_found')
  const { buildId, templateJson } = await agent.currentBuild()
  const namespace = (await agent.get())?.k8sNamespace
  expect([buildId, JSON.parse(templateJson).target.namespace]).toEqual(['b1', namespace])
  const same = await agent.deploy({}, { buildId: 'current' })
  expect(same).toMatchObject({ revision: 1, buildId: 'b1' })
  expect(await agent.deploy({})).toMatchObject({ revision: 2, buildId: 'b2' })
})

test('a deploy that pins the source account is refused if its name means another one', async () => {
  const lender = await deployer.signIn('lender')
  const source = agentOf(deployer, lender, 'pinned')
  await source.register('b1')
  await source.publish('b1', '1.0.0')
  const other = await deployer.signIn('pinner')
  const target = {
    account: other.account,
    name: 'pinned',
    sourceAccount: lender.account,
    userCredentials: CREDENTIALS,
  }
  const validate = (sourceAccountId: string, more = {}) =>
    deployer.deployments.validateDeployment(
      { target: { ...target, sourceAccountId, ...more } },
      other.options,
    )
  const { sourceAccountId } = await validate('')
  expect(sourceAccountId).toBe(lender.accountId)

  const wrong = { target: { ...target, sourceAccountId: other.accountId } }
  const changed = 'source_account_changed'
  expect(await outcomeOf(validate(other.accountId))).toBe(changed)
  expect(await outcomeOf(deployer.deployments.deploy(wrong, other.options))).toBe(changed)
  const agent = agentOf(deployer, other, 'pinned')
  expect(await outcomeOf(agent.get())).toBe('deployment_not_found')

  const right = { sourceAccount: lender.account, sourceAccountId }
  expect(await agent.deploy(CREDENTIALS, right)).toMatchObject({ buildId: 'b1' })
  const current = { buildId: 'current' }
  expect((await validate(sourceAccountId, current)).valid).toBe(true)
  expect(await outcomeOf(validate(other.accountId, current))).toBe(changed)
})
