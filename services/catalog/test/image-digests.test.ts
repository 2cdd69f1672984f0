import { expect, test } from 'vitest'

import { readRemoteError } from '@slipway/shared/rpc'

import { catalogWithBuilds } from './support/build-calls.ts'
import { failureOf, specOf } from './support/catalog.ts'

const { catalog, owner, calls } = await catalogWithBuilds()

const digest = (digit: string) => `sha256:${digit.repeat(64)}`
const image = (name: string) => `registry.example/${name}:1`
const tools = `tools:
  docs: {container: {image: registry.example/docs:1}}
  pinned: {container: {image: "registry.example/x:1@${digest('0')}"}}
knowledge: {cache: {provider: redis}}
`

async function digestsOf(name: string) {
  const { versions } = await calls.detail(name, owner)
  const resolved = await calls.resolve(name)
  expect(resolved.imageDigests).toEqual(versions?.[0]?.imageDigests)
  return resolved.imageDigests
}

test('a build has the digests of its images, sorted', async () => {
  const imageDigests = {
    'registry.example/docs:1': digest('d'),
    [image('pushed')]: digest('a'),
  }
  const specContent = specOf('pushed', tools)
  await calls.register('pushed', { specContent, imageDigests })
  const stored = await digestsOf('pushed')
  expect(stored).toEqual(imageDigests)
  expect(Object.keys(stored)).toEqual(Object.keys(imageDigests).sort())

  const { account, options } = owner
  const { templateJson } = await catalog.agents.getDeploymentTemplate(
    { account, name: 'pushed' },
    options,
  )
  expect(JSON.parse(templateJson)).toMatchObject({
    agent: { image: `${image('pushed')}@${digest('a')}` },
    tools: { docs: { image: `registry.example/docs:1@${digest('d')}` } },
    knowledge: { cache: { image: 'redis:7-alpine' } },
  })
})

test('an image that the spec leaves out has the name of the agent and the build', async () => {
  const imageDigests = { 'registry.example/team/implied:b1': digest('a') }
  const specContent = 'spec: astro/v1\nname: implied\nagent: {port: 80}\n'
  await calls.register('implied', { specContent, imageDigests })
  expect(await digestsOf('implied')).toEqual(imageDigests)
})

test('a registration without digests keeps them while the spec is the same', async () => {
  const imageDigests = { [image('kept')]: digest('a') }
  await calls.register('kept', { imageDigests })
  await calls.register('kept')
  expect(await digestsOf('kept')).toEqual(imageDigests)
  await calls.register('kept', { imageDigests: { [image('kept')]: digest('b') } })
  expect(await digestsOf('kept')).toEqual({ [image('kept')]: digest('b') })
  // The image of another spec may be another one.
  await calls.register('kept', { specContent: specOf('kept', 'meta: {description: new}\n') })
  expect(await digestsOf('kept')).toEqual({})
})

test('the digests of a published build never change', async () => {
  const imageDigests = { [image('frozen')]: digest('a') }
  await calls.register('frozen', { imageDigests })
  await calls.publish('frozen', 'b1', '1.0.0')
  await calls.register('frozen', { imageDigests })
  await calls.register('frozen')
  const changed = { imageDigests: { [image('frozen')]: digest('b') } }
  expect(await failureOf(calls.register('frozen', changed))).toBe('build_published')
  expect(await digestsOf('frozen')).toEqual(imageDigests)
})

test.each([
  [
    'another image',
    { 'registry.example/other:1': digest('a') },
    'registry.example/other:1 must be',
  ],
  [
    'an image with a digest',
    { [`registry.example/x:1@${digest('0')}`]: digest('a') },
    'must be an',
  ],
  [
    'an image of the operator',
    { 'redis:7-alpine': digest('a') },
    'redis:7-alpine must be an image',
  ],
  ['no digest', { [image('refused')]: 'latest' }, 'must be sha256: and 64 hexadecimal digits'],
])('refuses %s', async (_what, imageDigests, description) => {
  const call = calls.register('refused', { specContent: specOf('refused', tools), imageDigests })
  const error = await call.then(
    () => undefined,
    (cause: unknown) => readRemoteError(cause),
  )
  expect(error?.violations).toEqual([
    { field: 'image_digests', description: expect.stringContaining(description) as string },
  ])
})
