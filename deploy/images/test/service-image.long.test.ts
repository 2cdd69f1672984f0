import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LayerCache, nodeRuntime, type Image } from '@slipway/agent-image/parts'
import { applicationFiles, buildServiceImage } from '../src/service-image.ts'
import { SERVICES } from '../src/services.ts'
import { writeEntries } from '../src/write-entries.ts'

const checkout = join(import.meta.dirname, '../../..')
const names = Object.keys(SERVICES) as (keyof typeof SERVICES)[]
const MEGABYTE = 1e6

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-service-image-'))
})
afterAll(() => rm(folder, { recursive: true }))

function configOf(image: Image) {
  if (!('bytes' in image.config.source)) throw new Error('a configuration is in memory')
  return JSON.parse(image.config.source.bytes.toString()) as {
    config: { User: string; Env: string[]; Entrypoint: string[]; Labels: Record<string, string> }
  }
}

const sizeOf = (image: Image) => image.layers.reduce((sum, { size }) => sum + size, 0)

test('gives the same digest when it is built again with an empty cache', async () => {
  const runtime = await nodeRuntime(new LayerCache(), () => undefined)
  const build = (cache: string) =>
    buildServiceImage({
      checkout,
      ...SERVICES['identity-provider'],
      cacheDirectory: join(folder, cache),
      runtime: { ...runtime, layers: runtime.layers.slice(0, 1) },
    })
  const first = await build('first')
  expect((await build('second')).manifest).toEqual(first.manifest)
})

describe.each(names)('the image %s', (name) => {
  test('is small, runs as a numeric user, and says what it is', async () => {
    const image = await buildServiceImage({ checkout, ...SERVICES[name] })
    const limit = name === 'observability' ? 600 : 200
    expect(sizeOf(image)).toBeLessThan(limit * MEGABYTE)
    const { config } = configOf(image)
    expect(config.User).toBe('1000:1000')
    expect(config.Labels).toMatchObject({
      'org.opencontainers.image.title': `slipway/${name}`,
      'org.opencontainers.image.licenses': 'Apache-2.0',
      'org.opencontainers.image.version': expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
    })
  })
})

test('the image of the gateway has the guides that it serves', async () => {
  const { sources } = await applicationFiles(checkout, SERVICES.gateway.folder, [])
  const paths = sources.map(({ path }) => path)
  const pages = ['app/docs/guide/first-agent.md', 'app/docs/reference/limits.md']
  expect(paths).toEqual(expect.arrayContaining(pages))
})

describe.each(['catalog', 'deployer', 'observability', 'gateway'] as const)('%s', (name) => {
  test('starts as JavaScript, and has every file that it loads', async () => {
    const { folder: service, program } = SERVICES[name]
    const { dependencies, sources } = await applicationFiles(checkout, service, [])
    expect(sources.filter(({ path }) => path.endsWith('.ts'))).toEqual([])
    const app = join(await realpath(folder), name, 'app')
    writeEntries(join(app, '..'), sources)
    await symlink(join(checkout, 'node_modules'), join(app, 'node_modules'))
    const packages = new Set(
      dependencies.flatMap((entry) =>
        entry.type === 'file' && 'file' in entry.content ? [entry.content.file] : [],
      ),
    )
    const hook = join(import.meta.dirname, 'support/print-loaded-files.ts')
    // Without settings a service ends with a list of what is missing, after all imports.
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', hook, join(app, service, program)],
      { env: {}, encoding: 'utf8' },
    )
    expect(stderr).toContain('AUTH_ISSUERS')
    expect(status).toBe(2)
    const loaded = stdout.trim().split('\n')
    expect(loaded.length).toBeGreaterThan(100)
    // The gateway has no database, and loads no library for one.
    expect(loaded.filter((file) => name === 'gateway' && file.includes('/kysely/'))).toEqual([])
    const others = loaded.filter((file) => !file.startsWith(`${app}/`) && !packages.has(file))
    expect(others).toEqual([])
  })
})

test('the bill of materials has the packages of npm and Debian, and Node.js', async () => {
  const { components } = await nodeRuntime(new LayerCache(), () => undefined)
  const files = await applicationFiles(checkout, 'services/catalog', components)
  writeEntries(join(folder, 'bill'), files.sources)
  const bill = JSON.parse(await readFile(join(folder, 'bill/app/sbom.cdx.json'), 'utf8')) as {
    metadata: { component: { name: string } }
    components: { purl: string }[]
  }
  const urls = bill.components.map(({ purl }) => purl)
  expect(bill.metadata.component.name).toBe('catalog')
  expect(urls).toContain(`pkg:generic/node@${process.versions.node}`)
  for (const start of ['pkg:npm/kysely@', 'pkg:npm/%40slipway/shared@', 'pkg:deb/debian/libc6@'])
    expect(urls.filter((url) => url.startsWith(start))).toHaveLength(1)
  expect(urls.filter((url) => url.startsWith('pkg:npm/vitest@'))).toEqual([])
})
