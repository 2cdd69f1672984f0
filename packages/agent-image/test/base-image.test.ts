import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fromStack } from '@slipway/testing/from-stack'
import { expect, test } from 'vitest'
import { buildAgent } from '../src/index.ts'
import type { Image } from '../src/parts.ts'
import { configOf, pushBase, writeAgent } from './support/bases.ts'
import { failureOf } from './support/failure-of.ts'
import { guardRegistry } from './support/guarded-registry.ts'
import { scratch } from './support/images.ts'

// Projects are built on images of the stack's registry.

const TWO_PROGRAMS = '{"bin": {"agent": "agent.js", "agent-two": "agent.js"}}'
const registry = fromStack('SLIPWAY_REGISTRY')

test.each(['amd64', 'arm64'] as const)('builds on the image for linux/%s', async (architecture) => {
  await using place = await scratch()
  const name = `bases/two-${architecture}`
  const bases = await pushBase(registry, place.folder, name)
  const agent = await writeAgent(place.folder)
  await using guarded = await guardRegistry(registry)
  const build = async () =>
    await buildAgent(agent, {
      registry,
      base: `${guarded.address}/${name}:1`,
      platforms: [`linux/${architecture}`],
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
  const { amd64 } = await pushBase(registry, place.folder, name)
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
      platforms: ['linux/amd64'],
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
  await pushBase(registry, place.folder, name)
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
  const platforms = ['linux/amd64'] as const
  const build = buildAgent(agent, { registry, base, platforms, cacheDirectory, signal })
  const ended = build.catch((reason: unknown) => reason)
  const blobs = async () => await readdir(join(cacheDirectory, 'blobs')).catch(() => [])
  await expect.poll(blobs).toHaveLength(1)
  aborted.abort(new Error('Ctrl-C'))
  expect(await ended).toEqual(new Error('Ctrl-C'))
  expect(await blobs()).toEqual([])
})

test('builds a container from its own folder, never from the program of the agent', async () => {
  await using place = await scratch()
  const name = 'bases/folders'
  await pushBase(registry, place.folder, name)
  const model = join(place.folder, 'dev', 'model')
  await mkdir(model, { recursive: true })
  await writeFile(join(model, 'package.json'), '{"bin": {"agent": "model.js"}}')
  await writeFile(join(model, 'model.js'), 'console.log(2)')
  const specWith = (context: string): string =>
    'spec: astro/v1\nname: based\nagent: { build: { context: . } }\n' +
    `models: { own: { container: { build: { context: ${context} }, port: 80 } } }\n`
  const agent = await writeAgent(place.folder, { 'astroai.yml': specWith('../dev/model') })
  const options = { registry, base: `${registry}/${name}:1`, cacheDirectory: place.folder }
  await expect(buildAgent(agent, options)).rejects.toThrow(
    `outside of its folder: the path ${model}`,
  )
  const { images } = await buildAgent(agent, { ...options, allowOutside: () => Promise.resolve() })
  const started = images.map(({ repository, image }) => [
    repository,
    configOf(image as Image).config.Entrypoint,
  ])
  expect(started).toEqual([
    ['agent', ['node', 'agent.js']],
    ['agent-dev-model', ['node', 'model.js']],
  ])

  // A Dockerfile's context may be the repository, and the program that of the agent.
  await writeFile(join(place.folder, 'package.json'), '{"bin": {"agent": "root.js"}}')
  const above = specWith('.., target: agent-two').replace('context: .', 'context: ..')
  await writeFile(join(agent, 'astroai.yml'), above)
  await writeFile(join(agent, 'package.json'), TWO_PROGRAMS)
  expect((await buildAgent(agent, options)).images.map(({ repository }) => repository)).toEqual([
    'agent',
    'agent-agent-two',
  ])

  await mkdir(join(agent, 'empty'))
  await writeFile(join(agent, 'astroai.yml'), specWith('empty'))
  await expect(buildAgent(agent, options)).rejects.toThrow(
    /agent\/empty has no Dockerfile .*, and no package\.json/,
  )
})
