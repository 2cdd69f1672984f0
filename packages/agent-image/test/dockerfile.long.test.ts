import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromStack } from '@slipway/testing/from-stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { layerContents } from '../src/attestations/layer-contents.ts'
import type { Image, Layer } from '../src/parts.ts'
import { buildAgent, ENGINES, findContainerEngine, pushAgent } from '../src/index.ts'

// Images are built from Dockerfiles with the engine that works here, at least with buildah.

const registry = fromStack('SLIPWAY_REGISTRY')
const SETTINGS = { STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' }
const before = Object.keys(SETTINGS).map((name) => [name, process.env[name]] as const)

let folder: string
beforeAll(async () => {
  Object.assign(process.env, SETTINGS)
  folder = await mkdtemp(join(tmpdir(), 'slipway-dockerfile-'))
  const build = (target: string) =>
    `build: { context: ., dockerfile: Dockerfile, target: ${target}, args: { WORD: hello } }`
  const spec =
    'spec: astro/v1\nname: from-dockerfile\n' +
    `agent: { ${build('main')}, port: 80 }\n` +
    `tools: { other: { container: { ${build('other')}, port: 80 } } }\n`
  await writeFile(join(folder, 'astroai.yml'), spec)
  await writeFile(
    join(folder, 'Dockerfile'),
    'FROM scratch AS main\nARG WORD\nENV WORD=$WORD\nCOPY main.py /\nENTRYPOINT ["/main.py"]\n' +
      'FROM main AS other\nCOPY Dockerfile /\n',
  )
  await writeFile(join(folder, 'main.py'), 'print(1)\n')
})
afterAll(async () => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  await rm(folder, { recursive: true })
})

test('builds and pushes the stages of a Dockerfile, the same ones again', async () => {
  expect(ENGINES).toContain(await findContainerEngine())
  const cacheDirectory = `${folder}-cache`
  const output: string[] = []
  const build = async () =>
    await buildAgent(folder, {
      registry,
      cacheDirectory,
      onOutput: (line) => output.push(line),
    })
  try {
    // The folder also has a program in Python, but a Dockerfile comes first.
    const built = await build()
    expect(built.images.map(({ target, builtFrom }) => [target, builtFrom])).toEqual([
      ['main', 'dockerfile'],
      ['other', 'dockerfile'],
    ])
    expect(output.join('\n')).toContain('COPY main.py /')
    const [image] = await pushAgent(built)
    const stored = await fetch(
      `http://${registry}/v2/${image?.repository}/manifests/${built.buildId}`,
    )
    const manifest = (await stored.json()) as { config: { digest: string } }
    const blob = `http://${registry}/v2/${image?.repository}/blobs/${manifest.config.digest}`
    expect(await (await fetch(blob)).json()).toMatchObject({
      config: { Entrypoint: ['/main.py'], Env: expect.arrayContaining(['WORD=hello']) as string[] },
    })
    expect((await build()).buildId).toBe(built.buildId)
    expect((await readdir(cacheDirectory)).toSorted()).toEqual(['blobs', 'layers'])
  } finally {
    await rm(cacheDirectory, { recursive: true, force: true })
  }
})

test('gives the engine no files of secrets, and says so', async () => {
  const cacheDirectory = `${folder}-cache`
  const text = 'FROM scratch AS main\nCOPY . /\nFROM main AS other\n'
  await writeFile(join(folder, 'Dockerfile'), text)
  const said: string[] = []
  const progress = (line: string): void => void said.push(line)
  const build = async () =>
    await buildAgent(folder, { registry, from: 'dockerfile', cacheDirectory, progress })
  try {
    const before = (await build()).images[0]?.image
    await writeFile(join(folder, '.env'), 'PASSWORD=not-for-images')
    const built = await build()
    expect(said).toContain('left out, because they may hold secrets: .env')
    const image = built.images[0]?.image
    if (!image || 'images' in image) throw new Error('the image is for one platform')
    const files = await layerContents(image.layers[0] as Layer, () => true)
    expect([...files.keys()].toSorted()).toEqual(['Dockerfile', 'astroai.yml', 'main.py'])
    // With the secret, the image is the same as without.
    expect(image).toMatchObject({ config: { digest: (before as Image).config.digest } })
    expect((await build()).buildId).toBe(built.buildId)

    await writeFile(join(folder, 'Dockerfile'), 'FROM scratch AS main\nCOPY .env /\n')
    await expect(build()).rejects.toThrow(/may hold secrets: \.env\. Give it .* with "secrets"/)
  } finally {
    await rm(join(folder, '.env'))
    await rm(cacheDirectory, { recursive: true, force: true })
  }
})

test('says what the engine reported when a Dockerfile fails', async () => {
  await writeFile(join(folder, 'Dockerfile'), 'FROM scratch AS main\nCOPY missing /\n')
  await expect(buildAgent(folder, { registry, from: 'dockerfile' })).rejects.toThrow(
    /build failed:[^]*missing/,
  )
})
