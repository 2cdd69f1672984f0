import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { buildAgentImage, buildAndPushAgent } from '../src/index.ts'
import { pushImage } from '../src/parts.ts'

const example = join(import.meta.dirname, '..', '..', '..', 'examples', 'support-agent')
const registry = process.env['SLIPWAY_REGISTRY'] ?? ''
if (registry === '') throw new Error('SLIPWAY_REGISTRY is not set: run through ./dev test')

let folder: string
beforeAll(async () => {
  const parent = await mkdtemp(join(tmpdir(), 'slipway-agent-'))
  // A different name, so that the images of a demo on the same registry don't change.
  folder = join(parent, 'copied-agent')
  await cp(example, folder, { recursive: true, filter: (path) => !path.endsWith('/node_modules') })
  await symlink(join(example, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(() => rm(join(folder, '..'), { recursive: true }))

async function fromRegistry(path: string): Promise<Response> {
  return fetch(`http://${registry}/v2/${path}`, {
    headers: { accept: 'application/vnd.oci.image.manifest.v1+json' },
  })
}

describe('buildAgentImage', () => {
  it('pushes a complete image, and pushes nothing the second time', async () => {
    const first = await buildAgentImage(folder, { registry })
    expect(first.reference).toBe(`${registry}/copied-agent:${first.tag}`)
    expect(first.tag).toMatch(/^[0-9a-f]{12}$/)
    const response = await fromRegistry(`copied-agent/manifests/${first.tag}`)
    expect(response.headers.get('docker-content-digest')).toBe(first.digest)
    const manifest = (await response.json()) as {
      config: { digest: string }
      layers: { digest: string; size: number }[]
    }
    for (const { digest, size } of manifest.layers) {
      const blob = await fetch(`http://${registry}/v2/copied-agent/blobs/${digest}`, {
        method: 'HEAD',
      })
      expect(Number(blob.headers.get('content-length'))).toBe(size)
    }
    const config = await (await fromRegistry(`copied-agent/blobs/${manifest.config.digest}`)).json()
    expect(config).toMatchObject({
      config: { User: '1000', WorkingDir: '/app', Entrypoint: ['node', 'src/main.ts'] },
    })
    expect(await buildAgentImage(folder, { registry })).toEqual({ ...first, pushed: false })
  })

  it('lists the programs if the target is unknown', async () => {
    await expect(buildAgentImage(folder, { registry, target: 'gpu' })).rejects.toThrow(
      'has: agent, ingest',
    )
  })
})

describe('buildAndPushAgent', () => {
  it('writes the images to the spec, and assigns a changed agent a new build id', async () => {
    const before = await buildAndPushAgent(folder, { registry, from: 'project' })
    const spec = parse(before.spec) as {
      agent: unknown
      ingestion: { docs: { container: unknown } }
    }
    expect(before.name).toBe('support-agent')
    expect(spec.agent).toMatchObject({
      image: `${registry}/copied-agent:${before.buildId}`,
      port: 8080,
    })
    expect(spec.ingestion.docs.container).toEqual({
      image: `${registry}/copied-agent-ingest:${before.buildId}`,
    })
    expect(before.spec).not.toContain('build:')

    const article = join(folder, 'faq', 'contact-support.md')
    await writeFile(article, `${await readFile(article, 'utf8')}\nOne more sentence.\n`)
    const after = await buildAndPushAgent(folder, { registry, from: 'project' })
    expect(after.buildId).not.toBe(before.buildId)
    for (const { repository } of after.images) {
      const response = await fromRegistry(`${repository}/manifests/${after.buildId}`)
      expect(response.status).toBe(200)
    }
  })
})

it('throws if the registry does not respond', async () => {
  const manifest = {
    mediaType: 'x',
    digest: 'sha256:0',
    size: 1,
    source: { bytes: Buffer.from('x') },
  }
  const image = {
    platform: { os: 'linux', architecture: 'amd64' },
    config: manifest,
    layers: [],
    manifest,
  } as const
  // No program listens on port 1.
  await expect(pushImage('127.0.0.1:1', 'a', 'b', { ...image, layers: [] })).rejects.toThrow(
    'no response from 127.0.0.1:1',
  )
})
