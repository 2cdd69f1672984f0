import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fromStack } from '@slipway/testing/from-stack'
import { expect, test } from 'vitest'
import { buildAgent } from '../src/index.ts'
import { assembleImage, fileEntry, LayerCache, pushImage, type Image } from '../src/parts.ts'
import { failureOf } from './support/failure-of.ts'
import { guardRegistry } from './support/guarded-registry.ts'
import { scratch } from './support/images.ts'

// Projects are built on images of the stack's registry.

const registry = fromStack('SLIPWAY_REGISTRY')

/** Pushes an image for two platforms under one tag; returns them by architecture. */
async function pushBase(folder: string, name: string) {
  const cache = new LayerCache(join(folder, 'base'))
  const images: Partial<Record<'amd64' | 'arm64', Image>> = {}
  for (const architecture of ['amd64', 'arm64'] as const) {
    const layer = await cache.layer([fileEntry('etc/base', `${name} on ${architecture}`)])
    const environment = { NODE_VERSION: '24.1.0', FROM_BASE: 'kept' }
    const config = { entrypoint: ['node'], user: '0', environment }
    const image = assembleImage([layer], config, { os: 'linux', architecture })
    await pushImage(registry, name, architecture, image)
    images[architecture] = image
  }
  const manifests = Object.values(images).map(({ manifest, platform }) => {
    const { mediaType, digest, size } = manifest
    return { mediaType, digest, size, platform }
  })
  const mediaType = 'application/vnd.oci.image.index.v1+json'
  await fetch(`http://${registry}/v2/${name}/manifests/1`, {
    method: 'PUT',
    headers: { 'content-type': mediaType },
    body: JSON.stringify({ schemaVersion: 2, mediaType, manifests }),
  })
  return images
}

async function writeAgent(place: string): Promise<string> {
  const folder = join(place, 'agent')
  await mkdir(folder)
  const build = '{ context: ., dockerfile: Dockerfile }'
  const spec = `spec: astro/v1\nname: based\nagent: { build: ${build}, port: 80 }\n`
  await writeFile(join(folder, 'astroai.yml'), spec)
  await writeFile(join(folder, 'package.json'), '{"bin": {"agent": "agent.js"}}')
  await writeFile(join(folder, 'agent.js'), 'console.log(1)')
  return folder
}

function configOf({ config }: Image) {
  if (!('bytes' in config.source)) throw new Error('a configuration is in memory')
  return JSON.parse(config.source.bytes.toString()) as {
    architecture: string
    config: { Env: string[]; User: string; Entrypoint: string[] }
    rootfs: { diff_ids: string[] }
  }
}

test.each(['amd64', 'arm64'] as const)('builds on the image for linux/%s', async (architecture) => {
  await using place = await scratch()
  const name = `bases/two-${architecture}`
  const bases = await pushBase(place.folder, name)
  const agent = await writeAgent(place.folder)
  await using guarded = await guardRegistry(registry)
  const build = async () =>
    await buildAgent(agent, {
      registry,
      base: `${guarded.address}/${name}:1`,
      platform: `linux/${architecture}`,
      cacheDirectory: join(place.folder, 'cache'),
    })
  const [built] = (await build()).images
  const config = configOf(built?.image as Image)
  expect(config).toMatchObject({
    architecture,
    config: { User: '1000', Entrypoint: ['node', 'agent.js'] },
  })
  expect(config.config.Env).toEqual(
    expect.arrayContaining(['NODE_VERSION=24.1.0', 'FROM_BASE=kept', 'NODE_ENV=production']),
  )
  expect(config.rootfs.diff_ids[0]).toBe(bases[architecture]?.layers[0]?.diffId)

  const before = guarded.requests.length
  expect((await build()).images[0]?.digest).toBe(built?.digest)
  // The tag may have moved, so it is looked up; all else is known.
  expect(guarded.requests.slice(before)).toEqual([`HEAD /v2/${name}/manifests/1`])
})

test('reports an image that is missing, damaged, or for other platforms', async () => {
  await using place = await scratch()
  const name = 'bases/broken'
  const { amd64 } = await pushBase(place.folder, name)
  const agent = await writeAgent(place.folder)
  await using guarded = await guardRegistry(registry, {
    intercept({ url = '' }, answer) {
      const isLayer = url.endsWith(`/blobs/${amd64?.layers[0]?.digest}`)
      if (isLayer) answer.end('other bytes')
      return isLayer
    },
  })
  const build = (base: string) =>
    buildAgent(agent, {
      registry,
      base: `${guarded.address}/${base}`,
      platform: 'linux/amd64',
      cacheDirectory: join(place.folder, 'cache'),
    })
  expect(await failureOf(build(`${name}:none`))).toMatchObject({ problem: 'not-found' })
  const damaged = await failureOf(build(`${name}:1`))
  expect(damaged.message).toContain('the registry returned other bytes than those of sha256:')
  const index = { schemaVersion: 2, manifests: [] }
  await fetch(`http://${registry}/v2/${name}/manifests/none-fits`, {
    method: 'PUT',
    headers: { 'content-type': 'application/vnd.oci.image.index.v1+json' },
    body: JSON.stringify(index),
  })
  expect((await failureOf(build(`${name}:none-fits`))).message).toContain(
    'has no image for linux/amd64; name another base image or platform',
  )
  await expect(build('UPPER:1')).rejects.toThrow('is not the name of an image')
})

test('leaves nothing behind when a download is aborted', async () => {
  await using place = await scratch()
  const name = 'bases/aborted'
  await pushBase(place.folder, name)
  const agent = await writeAgent(place.folder)
  const aborted = new AbortController()
  await using guarded = await guardRegistry(registry, {
    intercept({ url = '' }, answer) {
      // The layer never ends.
      const isLayer = url.includes('/blobs/') && guarded.requests.length > 4
      if (isLayer) answer.write('the start')
      return isLayer
    },
  })
  const cacheDirectory = join(place.folder, 'cache')
  const { signal } = aborted
  const base = `${guarded.address}/${name}:1`
  const platform = 'linux/amd64'
  const build = buildAgent(agent, { registry, base, platform, cacheDirectory, signal })
  const ended = build.catch((reason: unknown) => reason)
  const blobs = async () => await readdir(join(cacheDirectory, 'blobs')).catch(() => [])
  await expect.poll(blobs).toHaveLength(1)
  aborted.abort(new Error('Ctrl-C'))
  expect(await ended).toEqual(new Error('Ctrl-C'))
  expect(await blobs()).toEqual([])
})
