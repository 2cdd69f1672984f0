import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fromStack } from '@slipway/testing/from-stack'
import { expect, test } from 'vitest'
import { buildAgent, buildAndPushAgent, pushAgent } from '../src/index.ts'
import { pushBase, writeAgent } from './support/bases.ts'
import { scratch } from './support/images.ts'

// An image for several platforms is an index in the registry.

const registry = fromStack('SLIPWAY_REGISTRY')
const platforms = ['linux/amd64', 'linux/arm64'] as const

interface Index {
  readonly mediaType: string
  readonly manifests: readonly {
    readonly digest: string
    readonly platform: { readonly architecture: string }
  }[]
}

async function fromRegistry<Document>(repository: string, name: string): Promise<Document> {
  const accept = ['index', 'manifest'].map((kind) => `application/vnd.oci.image.${kind}.v1+json`)
  const response = await fetch(`http://${registry}/v2/${repository}/manifests/${name}`, {
    headers: { accept: accept.join(', ') },
  })
  expect(response.status).toBe(200)
  return (await response.json()) as Document
}

test('pushes one image for all platforms, and nothing the second time', async () => {
  await using place = await scratch()
  const name = 'bases/multi'
  const bases = await pushBase(registry, place.folder, name)
  const agent = await writeAgent(place.folder)
  const cacheDirectory = join(place.folder, 'cache')
  const options = { registry, base: `${registry}/${name}:1`, cacheDirectory }
  const said: string[] = []
  const progress = (line: string): void => void said.push(line)
  const built = await buildAgent(agent, { ...options, platforms, progress })
  const [image] = built.images
  expect(image?.platforms).toEqual(platforms)
  const contents = image?.contents ?? []
  expect(contents.map(({ platform }) => platform)).toEqual(platforms)
  for (const { list } of contents) {
    const file = expect.objectContaining({ path: '/app/agent.js', layer: 'application' })
    expect((await list()).files).toContainEqual(file)
  }
  expect(said.join('\n')).toMatch(/linux\/arm64: found a Node\.js project/)
  const [pushed] = await pushAgent(built)
  expect(pushed).toMatchObject({ digest: image?.digest, pushed: true })

  const index = await fromRegistry<Index>('agent', built.buildId)
  expect(await fromRegistry('agent', image?.digest ?? '')).toEqual(index)
  expect(index.manifests.map(({ platform }) => platform.architecture)).toEqual(['amd64', 'arm64'])
  for (const [at, architecture] of (['amd64', 'arm64'] as const).entries()) {
    const digest = index.manifests[at]?.digest ?? ''
    const { layers } = await fromRegistry<{ layers: { digest: string }[] }>('agent', digest)
    expect(layers[0]?.digest).toBe(bases[architecture]?.layers[0]?.digest)
    const alone = await buildAgent(agent, { ...options, platforms: [`linux/${architecture}`] })
    expect(alone.images[0]?.digest).toBe(digest)
  }
  expect(await pushAgent(await buildAgent(agent, { ...options, platforms }))).toMatchObject([
    { digest: image?.digest, pushed: false },
  ])
})

test('names the part that is not for all platforms', async () => {
  await using place = await scratch()
  const name = 'bases/multi-native'
  await pushBase(registry, place.folder, name)
  const agent = await writeAgent(place.folder, {
    'package.json': '{"bin": {"agent": "agent.js"}, "dependencies": {"quick": "1"}}',
  })
  const module = join(agent, 'node_modules', 'quick')
  await mkdir(module, { recursive: true })
  await writeFile(join(module, 'package.json'), '{"name": "quick", "version": "1.0.0"}')
  // The start of a library for amd64.
  const elf = Buffer.alloc(64)
  elf.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
  elf.writeUInt16LE(62, 18)
  await writeFile(join(module, 'quick.node'), elf)
  const options = { registry, platforms, cacheDirectory: join(place.folder, 'cache') }
  const base = `${registry}/${name}:1`
  await expect(buildAndPushAgent(agent, { ...options, base })).rejects.toThrow(
    'quick has native code, but not for linux/arm64',
  )
  await expect(
    buildAgent(await plainAgent(place.folder), {
      ...options,
      base: 'packages',
      cacheDirectory: undefined,
    }),
  ).rejects.toThrow(/the base of packages is for linux\/\w+; name an image as base/)
})

async function plainAgent(place: string): Promise<string> {
  const folder = join(place, 'plain')
  await mkdir(folder)
  return await writeAgent(folder)
}
