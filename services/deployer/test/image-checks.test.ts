import { randomUUID } from 'node:crypto'

import { ImageAvailability } from '@slipway/proto/slipway/deployer/v1/image_check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { agentOf } from './support/agents.ts'
import { startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'
import { pushImage, registryAddress, startRegistry } from './support/registry.ts'

const { AVAILABLE, NOT_FOUND, UNKNOWN } = ImageAvailability

let closed: string
let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  const gone = await startRegistry()
  closed = gone.address
  await gone[Symbol.asyncDispose]()
  deployer = await startTestDeployer({ INTERNAL_REGISTRIES: `${registryAddress()},${closed}` })
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

const specOf = (image: string) => `spec: astro/v1\nname: checked\nagent: {image: "${image}"}\n`

test('a dry run says which images can be pulled, and what to do about the others', async () => {
  const name = `checks/${randomUUID()}`
  const image = `${registryAddress()}/${name}:1`
  const digest = await pushImage(name, '1', 'checked')
  const agent = agentOf(deployer, owner, 'checked')
  const more = `knowledge:
  cache: {provider: redis}
tools:
  bound: {container: {image: "${registryAddress()}/${name}@${digest}"}}
  unreachable: {container: {image: "${closed}/${name}:1"}}
`
  await agent.register('b1', `${specOf(image)}${more}`)
  expect((await agent.validate({})).images).toEqual([])
  const { valid, images } = await agent.validate({}, { dryRunServer: true })
  expect(valid).toBe(true)
  expect(images).toMatchObject([
    { path: 'agent.image', image: `${image}@${digest}`, availability: AVAILABLE, message: '' },
    {
      path: 'knowledge.cache.image',
      image: 'redis:7-alpine',
      availability: UNKNOWN,
      message: expect.stringContaining('set PROVIDER_OVERRIDES={"redis": {"image": "…"}}'),
    },
    { path: 'tools.bound.image', availability: AVAILABLE },
    { path: 'tools.unreachable.image', availability: UNKNOWN },
  ])
  // A deploy would fail for want of these.
  const missing = `  missing: {container: {image: "${registryAddress()}/${name}:2"}}\n`
  await agent.register('b2', `${specOf(image)}${more}${missing}`)
  expect(await agent.validate({}, { dryRunServer: true })).toMatchObject({
    valid: false,
    violations: [
      {
        field: 'tools.missing.image',
        description:
          `the registry has no such image: push ${registryAddress()}/${name}:2, ` +
          'or correct the reference in the spec',
      },
    ],
  })
  // Nothing was deployed.
  expect(await agent.get().catch(() => undefined)).toBeUndefined()
})

test('deploys an image that only a mirror may have, if the operator allows it', async () => {
  const image = `${registryAddress()}/checks/${randomUUID()}:1`
  const replica = await deployer.startReplica({}, { MISSING_IMAGES: 'allowed' })
  const agent = agentOf({ ...deployer, ...deployer.clientsOf(replica) }, owner, 'mirrored')
  await agent.register('b1', specOf(image))
  expect(await agent.validate({}, { dryRunServer: true })).toMatchObject({
    valid: true,
    images: [{ path: 'agent.image', image, availability: NOT_FOUND }],
  })
  expect(await agent.deploy({})).toMatchObject({
    images: { agent: image },
    errors: [],
    warnings: [
      'agent.image: the registry has no such image; ' +
        'pods can start only if nodes get it from a mirror',
    ],
  })
})
