import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LayerCache } from '../image/layer-cache.ts'
import { readEngineArchive } from './engine-archive.ts'

// The forms in which engines save an image; which one depends on the engine and its version.

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-engine-archive-'))
})
afterEach(async () => await rm(folder, { recursive: true }))

type Member = Buffer | string | { readonly link: string }

const digest = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const layers = [randomBytes(2048), randomBytes(1024)] as const

function configOf(platform: object, diffIds: readonly string[]): string {
  return JSON.stringify({ ...platform, config: {}, rootfs: { type: 'layers', diff_ids: diffIds } })
}
const amd64 = { os: 'linux', architecture: 'amd64' }
const config = configOf(amd64, layers.map(digest))

async function read(members: Readonly<Record<string, Member>>) {
  const tar = pack()
  for (const [name, member] of Object.entries(members)) {
    if (typeof member === 'string' || Buffer.isBuffer(member)) tar.entry({ name }, member)
    else tar.entry({ name, type: 'symlink', linkname: member.link })
  }
  tar.finalize()
  const archive = join(folder, 'image.tar')
  await pipeline(tar, createWriteStream(archive))
  const unpacked = await mkdtemp(join(folder, 'unpacked-'))
  await mkdir(join(folder, 'cache'), { recursive: true })
  return await readEngineArchive(archive, unpacked, new LayerCache(join(folder, 'cache')))
}

const manifest = (...names: readonly string[]) =>
  JSON.stringify([{ Config: 'config.json', RepoTags: ['a:1'], Layers: names }])

test.each<[string, Record<string, Member>]>([
  [
    'tar files, with the list at the end',
    {
      'config.json': config,
      '1.tar': layers[0],
      '2.tar': layers[1],
      'manifest.json': manifest('1.tar', '2.tar'),
    },
  ],
  [
    'gzipped blobs',
    {
      'manifest.json': manifest('blobs/sha256/a', 'blobs/sha256/b'),
      'blobs/sha256/a': gzipSync(layers[0]),
      'blobs/sha256/b': layers[1],
      'config.json': config,
    },
  ],
  [
    'links between folders',
    {
      'one/layer.tar': { link: '../two/layer.tar' },
      'two/layer.tar': layers[0],
      'three/layer.tar': layers[1],
      'config.json': config,
      'manifest.json': manifest('one/layer.tar', 'three/layer.tar'),
    },
  ],
])('reads %s to the same image', async (_, members) => {
  const image = await read(members)
  expect(image.layers.map(({ diffId }) => diffId)).toEqual(layers.map(digest))
  expect(image.config.digest).toBe(digest(Buffer.from(config)))
  expect(image.platform).toEqual(amd64)
})

test('refuses an archive without a layer, with another one, or for another system', async () => {
  const list = manifest('1.tar')
  const lacking = read({ 'manifest.json': list, 'config.json': config })
  await expect(lacking).rejects.toThrow('lacks 1.tar')
  const other = read({ 'manifest.json': list, 'config.json': config, '1.tar': layers[1] })
  await expect(other).rejects.toThrow('a layer of the container engine is not sha256:')
  const windows = configOf({ os: 'windows', architecture: 'amd64' }, [])
  await expect(read({ 'manifest.json': list, 'config.json': windows })).rejects.toThrow(
    'the image is for windows/amd64',
  )
})
