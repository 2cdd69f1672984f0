import { afterAll, beforeAll, expect, test } from 'vitest'

import { agentOf, failure } from './support/agents.ts'
import { startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer()
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

/** The calls on an agent through a replica with other settings. */
async function through(settings: Record<string, string>, name: string) {
  const replica = await deployer.startReplica({}, settings)
  return agentOf({ ...deployer, ...deployer.clientsOf(replica) }, owner, name)
}

const PROBE = '10.0.0.5:6443'
const refused = (path: string, registry: string) => ({
  field: path,
  description: expect.stringContaining(
    `the registry ${registry} has an IP address or an internal name`,
  ) as string,
})

test('refuses images from addresses and internal names in every component', async () => {
  const agent = agentOf(deployer, owner, 'prober')
  await agent.register(
    'b1',
    `spec: astro/v1
name: prober
agent: {image: "${PROBE}/x"}
tools:
  api: {container: {image: kubernetes.default.svc/x}}
  mine: {container: {image: registry.example/x:1}}
  url: {container: {image: "https://registry.example/x:1"}}
ingestion:
  docs: {container: {image: "[fd00::1]:2379/x"}, trigger: {type: manual}}
`,
  )
  const violations = [
    refused('agent.image', PROBE),
    refused('ingestion.docs.image', '[fd00::1]:2379'),
    refused('tools.api.image', 'kubernetes.default.svc'),
    { field: 'tools.url.image', description: 'not a valid image reference' },
  ]
  expect(await agent.validate({})).toMatchObject({ valid: false, violations })
  expect(await failure(agent.deploy({}))).toMatchObject({ reason: 'validation_failed', violations })
  expect(await failure(agent.get())).toMatchObject({ reason: 'deployment_not_found' })
})

test('allows the registries in INTERNAL_REGISTRIES, and no other ports of them', async () => {
  const agent = await through({ INTERNAL_REGISTRIES: 'Registry.LAN:5000' }, 'inside')
  await agent.register(
    'b1',
    `spec: astro/v1\nname: inside\nagent: {image: "registry.lan:5000/x"}\n`,
  )
  expect(await agent.validate({})).toMatchObject({ valid: true })
  await agent.register(
    'b2',
    `spec: astro/v1\nname: inside\nagent: {image: "registry.lan:5001/x"}\n`,
  )
  expect(await agent.validate({})).toMatchObject({
    violations: [refused('agent.image', 'registry.lan:5001')],
  })
})

test('allows all registries with *', async () => {
  const agent = await through({ INTERNAL_REGISTRIES: '*' }, 'anywhere')
  await agent.register('b1', `spec: astro/v1\nname: anywhere\nagent: {image: "${PROBE}/x"}\n`)
  expect(await agent.validate({})).toMatchObject({ valid: true })
})

test('allows the images of the operator’s providers', async () => {
  const overrides = { redis: { image: '10.0.0.9:5000/redis:7' } }
  const agent = await through({ PROVIDER_OVERRIDES: JSON.stringify(overrides) }, 'stored')
  const spec = (image: string) =>
    `spec: astro/v1\nname: stored\nagent: {image: "${image}"}\n` +
    'knowledge: {db: {provider: redis}}\n'
  await agent.register('b1', spec('registry.example/x:1'))
  expect(await agent.validate({})).toMatchObject({ valid: true })
  await agent.register('b2', spec('10.0.0.9:5000/other:1'))
  expect(await agent.validate({})).toMatchObject({
    violations: [refused('agent.image', '10.0.0.9:5000')],
  })
})

test('a rollback can’t restore a revision whose registry is no longer allowed', async () => {
  const name = 'moved'
  const before = await through({ INTERNAL_REGISTRIES: PROBE }, name)
  await before.register('b1', `spec: astro/v1\nname: ${name}\nagent: {image: "${PROBE}/x"}\n`)
  await before.deploy({})
  const agent = agentOf(deployer, owner, name)
  // Manual changes of the live revision can still be reverted.
  expect(await agent.rollback({ revision: 1 })).toMatchObject({ revision: 1 })
  await agent.register('b2', `spec: astro/v1\nname: ${name}\nagent: {image: registry.example/x}\n`)
  await agent.deploy({})
  expect(await failure(agent.rollback({ revision: 1 }))).toMatchObject({
    reason: 'revision_not_restorable',
    message: expect.stringContaining(`the registry ${PROBE}`) as string,
  })
})
