import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { PodTemplate } from '../src/manifests/types.ts'
import { agentOf, failure } from './support/agents.ts'
import { startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'
import {
  pushImage,
  registryAddress,
  startRegistry,
  type RegistryFront,
} from './support/registry.ts'

const LOGIN = 'puller:registry-password'

let directory: string
let open: RegistryFront
let locked: RegistryFront
let closed: string
let deployer: TestDeployer
let owner: Person

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-digests-'))
  open = await startRegistry()
  locked = await startRegistry(LOGIN)
  const gone = await startRegistry()
  closed = gone.address
  await gone[Symbol.asyncDispose]()
  const pullSecret = join(directory, 'pull.json')
  const auth = Buffer.from(LOGIN).toString('base64')
  await writeFile(pullSecret, JSON.stringify({ auths: { [locked.address]: { auth } } }))
  const allowed = [registryAddress(), open.address, locked.address, closed, 'slipway.local']
  deployer = await startTestDeployer({
    INTERNAL_REGISTRIES: allowed.join(','),
    PULL_SECRET_FILE: pullSecret,
  })
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
  await open[Symbol.asyncDispose]()
  await locked[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

const specOf = (name: string, image: string) =>
  `spec: astro/v1\nname: ${name}\nagent: {image: "${image}"}\n`

/** A repository that no other test uses. */
const repository = () => `digests/${randomUUID()}`

/** The image that the agent's pods run, and when nodes pull it. */
async function runningIn(namespace: string) {
  const [workload] = await agentOf(deployer, owner, '').list('Deployment', namespace)
  const spec = workload?.spec as { template: PodTemplate } | undefined
  const [container] = spec?.template.spec?.containers ?? []
  return { image: container?.image, policy: container?.imagePullPolicy }
}

test('a deployment keeps the image that its tag named, and so does a rollback', async () => {
  const name = repository()
  const image = `${registryAddress()}/${name}:1`
  const first = await pushImage(name, '1', 'first')
  const agent = agentOf(deployer, owner, 'moving')
  await agent.register('b1', specOf('moving', image))
  const deployed = await agent.deploy({})
  expect(deployed).toMatchObject({ images: { agent: `${image}@${first}` }, warnings: [] })
  const pinned = { image: `${image}@${first}`, policy: 'IfNotPresent' }
  expect(await runningIn(deployed.k8sNamespace)).toEqual(pinned)
  expect(await agent.deploy({})).toMatchObject({ revision: 1 })

  const second = await pushImage(name, '1', 'second')
  expect(await agent.rollback({ revision: 1 })).toMatchObject({ revision: 1 })
  expect(await runningIn(deployed.k8sNamespace)).toEqual(pinned)
  const moved = await waitFor(
    async () => {
      const result = await agent.deploy({})
      return result.revision === 2 ? result : undefined
    },
    { what: 'the deployer asks the registry again' },
  )
  expect(moved.images).toEqual({ agent: `${image}@${second}` })
  expect(await agent.rollback({ revision: 1 })).toMatchObject({
    revision: 3,
    images: { agent: `${image}@${first}` },
  })
  expect(await runningIn(deployed.k8sNamespace)).toEqual(pinned)
})

test('a registered digest wins, and needs no registry', async () => {
  const name = repository()
  const image = `${open.address}/${name}:1`
  const digest = await pushImage(name, '1', 'published')
  const agent = agentOf(deployer, owner, 'published')
  await deployer.agents.registerBuild(
    {
      account: owner.account,
      name: 'published',
      buildId: 'b1',
      registry: 'oci://registry.example',
      specContent: specOf('published', image),
      imageDigests: { [image]: digest },
    },
    owner.options,
  )
  await agent.publish('b1', '1.0.0')
  await pushImage(name, '1', 'replaced')
  const other = agentOf(deployer, await deployer.signIn('bystander'), 'published')
  const deployed = await other.deploy({}, { sourceAccount: owner.account })
  expect(deployed).toMatchObject({ images: { agent: `${image}@${digest}` }, warnings: [] })
  expect(open.requests.filter((url) => url.includes(name))).toEqual([])
})

test('a new tag of the same image restarts nothing but the agent', async () => {
  const name = repository()
  const helper = (tag: string) => `${registryAddress()}/${name}:${tag}`
  for (const tag of ['1', '2']) await pushImage(name, tag, 'the same')
  const agent = agentOf(deployer, owner, 'retagged')
  const deploy = async (build: string, tag: string) => {
    const tools = `tools: {helper: {container: {image: "${helper(tag)}", port: 80}}}\n`
    await agent.register(build, `${specOf('retagged', helper(tag))}${tools}`)
    return await agent.deploy({})
  }
  const { images: before } = await deploy('b1', '1')
  const { images: after } = await deploy('b2', '2')
  const agentAfter = before['agent']?.replace(':1@', ':2@')
  expect(after).toEqual({ agent: agentAfter, 'tool-helper': before['tool-helper'] })
})

test('validation asks no registry', async () => {
  const name = repository()
  const agent = agentOf(deployer, owner, 'validated')
  await agent.register('b1', specOf('validated', `${open.address}/${name}:1`))
  expect(await agent.validate({})).toMatchObject({ valid: true })
  expect(open.requests.filter((url) => url.includes(name))).toEqual([])
})

test('uses the credentials of the image', async () => {
  const name = repository()
  const image = `${locked.address}/${name}:1`
  const digest = await pushImage(name, '1', 'private')
  const agent = agentOf(deployer, owner, 'private')
  await agent.register('b1', specOf('private', image))
  expect(await agent.deploy({})).toMatchObject({ images: { agent: `${image}@${digest}` } })

  const without = await deployer.startReplica({}, { PULL_SECRET_FILE: '' })
  const stranger = agentOf({ ...deployer, ...deployer.clientsOf(without) }, owner, 'stranger')
  await stranger.register('b1', specOf('stranger', image))
  const { k8sNamespace, images, warnings, errors } = await stranger.deploy({})
  expect({ images, errors }).toEqual({ images: { agent: image }, errors: [] })
  expect(warnings).toEqual([
    'agent.image: the registry has no such image, or reading it needs other credentials; ' +
      'nodes pull it whenever a pod starts, so it can change',
  ])
  expect(await runningIn(k8sNamespace)).toEqual({ image, policy: 'Always' })
})

test('while the registry is down, a deployment keeps the image that it runs', async () => {
  const name = repository()
  const digest = await pushImage(name, '1', 'kept')
  const agent = agentOf(deployer, owner, 'outage')
  const image = `${closed}/${name}:1`
  const register = async (buildId: string, imageDigests: Record<string, string>) => {
    const [account, registry] = [owner.account, 'oci://registry.example']
    const specContent = specOf('outage', image)
    await deployer.agents.registerBuild(
      { account, name: 'outage', buildId, registry, specContent, imageDigests },
      owner.options,
    )
  }
  await register('b1', {})
  const unbound = await agent.deploy({})
  expect(unbound).toMatchObject({
    images: { agent: image },
    warnings: [
      expect.stringMatching(/^agent\.image: the registry did not return .*it can change$/),
    ],
  })
  expect(await runningIn(unbound.k8sNamespace)).toEqual({ image, policy: 'Always' })
  expect(await agent.deploy({})).toMatchObject({ revision: 1 })

  await register('b2', { [image]: digest })
  expect(await agent.deploy({})).toMatchObject({ images: { agent: `${image}@${digest}` } })
  await register('b3', {})
  expect(await agent.deploy({})).toMatchObject({
    images: { agent: `${image}@${digest}` },
    warnings: [expect.stringMatching(/the deployment keeps the image that it runs$/)],
  })
})

test('refuses a public name of an internal address, and asks nothing there', async () => {
  const name = repository()
  const resolveHost = () => Promise.resolve(['127.0.0.1'])
  const replica = await deployer.startReplica({ resolveHost }, { INTERNAL_REGISTRIES: '' })
  const agent = agentOf({ ...deployer, ...deployer.clientsOf(replica) }, owner, 'rebound')
  const host = `registry.example${open.address.slice(open.address.indexOf(':'))}`
  for (const [build, image] of [
    ['b1', `${host}/${name}:1`],
    ['b2', `${host}/${name}@sha256:${'a1'.repeat(32)}`],
  ] as const) {
    await agent.register(build, specOf('rebound', image))
    expect(await failure(agent.deploy({}))).toMatchObject({
      reason: 'validation_failed',
      violations: [
        {
          field: 'agent.image',
          description: expect.stringContaining('to add it to INTERNAL_REGISTRIES') as string,
        },
      ],
    })
  }
  expect(open.requests.filter((url) => url.includes(name))).toEqual([])
})

test('a deployment that has such a registry already goes on with a warning', async () => {
  const [name, image] = ['inherited', `registry.example/${repository()}:1`]
  const resolveHost = () => Promise.resolve(['127.0.0.1'])
  const before = await deployer.startReplica({ resolveHost }, { INTERNAL_REGISTRIES: '*' })
  const earlier = agentOf({ ...deployer, ...deployer.clientsOf(before) }, owner, name)
  await earlier.register('b1', specOf(name, image))
  await earlier.deploy({})
  const after = await deployer.startReplica({ resolveHost }, { INTERNAL_REGISTRIES: '' })
  const agent = agentOf({ ...deployer, ...deployer.clientsOf(after) }, owner, name)
  await agent.register('b2', specOf(name, image.replace(/:1$/, ':2')))
  expect(await agent.deploy({})).toMatchObject({
    revision: 2,
    warnings: [expect.stringMatching(/^agent\.image: the registry has an internal address; use/)],
  })
})
