import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fromStack } from '@slipway/testing/from-stack'
import { expect, test } from 'vitest'
import { buildAgent } from '../src/index.ts'
import { LayerCache } from '../src/parts.ts'
import { pushBase, writeAgent } from './support/bases.ts'
import { failureOf } from './support/failure-of.ts'
import { guardRegistry } from './support/guarded-registry.ts'
import { scratch } from './support/images.ts'

// Without a base, projects are built on public images, which a registry of the test has.

const registry = fromStack('SLIPWAY_REGISTRY')
const NAME = 'docker.io/library/node:22-slim'

/** Builds with the public images of a registry, on a machine whose cache is `cache`. */
async function build(
  folder: string,
  cacheDirectory: string,
  mirror: string,
  more: { updateBase?: boolean; environment?: NodeJS.ProcessEnv; base?: string } = {},
) {
  const said: string[] = []
  const { environment, ...others } = more
  const built = await buildAgent(folder, {
    registry,
    platforms: ['linux/amd64'],
    cacheDirectory,
    ...others,
    environment: {
      PATH: process.env['PATH'],
      SLIPWAY_BASE_REGISTRY: mirror,
      ...environment,
    },
    progress: (line) => void said.push(line),
  })
  return { ...built.images[0], buildId: built.buildId, said: said.join('\n') }
}

test('builds on the public image of the version, by the digest that was recorded', async () => {
  await using place = await scratch()
  const mirror = 'public/recorded'
  const first = await pushBase(registry, place.folder, `${mirror}/node`, { tag: '22-slim' })
  const agent = await writeAgent(place.folder, { '.nvmrc': 'v22\n' })
  await using guarded = await guardRegistry(registry)
  const at = `${guarded.address}/${mirror}`
  const cache = join(place.folder, 'cache')

  const built = await build(agent, cache, at)
  expect(built.platforms).toEqual(['linux/amd64'])
  expect(built.image).toMatchObject({
    layers: [{ diffId: first.amd64?.layers[0]?.diffId }, {}, {}],
  })
  const lock = await readFile(join(agent, 'astroai.lock'), 'utf8')
  const [, digest = ''] = /^ {2}docker\.io\/library\/node:22-slim: (sha256:\S+)$/m.exec(lock) ?? []
  expect(built.base).toBe(`${NAME}@${digest}`)
  expect(built.said).toContain('recorded the digest of docker.io/library/node:22-slim')
  expect(built.said).toContain(`(.nvmrc has v22) of ${NAME}@${digest}`)

  // The tag moves. Another machine has the lock, and builds the same image.
  const later = { tag: '22-slim', content: 'a later release' }
  const second = await pushBase(registry, place.folder, `${mirror}/node`, later)
  await cp(agent, join(place.folder, 'copy', 'agent'), { recursive: true })
  const elsewhere = await build(
    join(place.folder, 'copy', 'agent'),
    join(place.folder, 'other-cache'),
    at,
  )
  expect(elsewhere).toMatchObject({ digest: built.digest, buildId: built.buildId })

  // What is recorded and in the cache needs no registry.
  const before = guarded.requests.length
  expect((await build(agent, cache, at)).digest).toBe(built.digest)
  expect(guarded.requests.slice(before)).toEqual([])

  const updated = await build(agent, cache, at, { updateBase: true })
  expect(updated.image).toMatchObject({
    layers: [{ diffId: second.amd64?.layers[0]?.diffId }, {}, {}],
  })
  expect(updated.base).not.toBe(built.base)
  expect(await readFile(join(agent, 'astroai.lock'), 'utf8')).toContain(updated.base?.split('@')[1])
})

test('says what to do if the registry of public images cannot be reached', async () => {
  await using place = await scratch()
  const agent = await writeAgent(place.folder)
  const cache = join(place.folder, 'cache')
  // No program listens on port 1, and nothing here unpacks Debian packages.
  const [nowhere, bare] = ['127.0.0.1:1/library', { PATH: place.folder }]
  const path = process.env['PATH']
  process.env['PATH'] = place.folder
  try {
    const failure = await failureOf(build(agent, cache, nowhere, { environment: bare }))
    expect(failure).toMatchObject({ problem: 'unreachable' })
    expect(failure.message).toContain("the base docker.io/library/node:24-slim can't be read")
    expect(failure.remedy).toContain('SLIPWAY_BASE_REGISTRY')
    expect(failure.remedy).toContain('--base packages')
  } finally {
    process.env['PATH'] = path
  }
})

test('keeps building on Debian packages where they have been the base', async () => {
  await using place = await scratch()
  const agent = await writeAgent(place.folder)
  // Debian's packages are in the cache of the test run.
  const cacheDirectory = new LayerCache().directory
  const nowhere = '127.0.0.1:1/library'
  const fallback = await build(agent, cacheDirectory, nowhere)
  expect(fallback.base).toBe('packages')
  expect(fallback.said).toContain('depends on them; --base packages chooses them')
  const chosen = await build(agent, cacheDirectory, nowhere, { base: 'packages' })
  expect(chosen.digest).toBe(fallback.digest)
  expect(chosen.said).not.toContain('warning')

  // A recorded base is a promise.
  const digest = `sha256:${'0'.repeat(64)}`
  await writeFile(
    join(agent, 'astroai.lock'),
    `bases:\n  docker.io/library/node:24-slim: ${digest}\n`,
  )
  const failure = await failureOf(build(agent, cacheDirectory, nowhere))
  expect(failure.message).toContain(`node:24-slim@${digest} of astroai.lock can't be read`)
  expect(failure.remedy).toContain('--base packages')
})

test('refuses a damaged lock', async () => {
  await using place = await scratch()
  for (const text of ['bases: 1', '[', 'bases: { a: latest }', 'a'.repeat(100)]) {
    const agent = await writeAgent(place.folder, { 'astroai.lock': text })
    await expect(build(agent, join(place.folder, 'cache'), '127.0.0.1:1/x')).rejects.toThrow(
      'astroai.lock is not valid',
    )
    await rm(agent, { recursive: true })
  }
})
