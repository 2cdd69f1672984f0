import { mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fileEntry, symlinkEntry } from './entries.ts'
import { LayerCache } from './layer-cache.ts'
import type { Layer } from './oci.ts'

let cache: LayerCache
beforeEach(async () => {
  cache = new LayerCache(await mkdtemp(join(tmpdir(), 'slipway-layers-')))
})
afterEach(() => rm(cache.directory, { recursive: true }))

function fileOf(layer: Layer): string {
  if (!('file' in layer.source)) throw new Error('a layer is a file')
  return layer.source.file
}

it('keeps a layer under its digest and finds it again', async () => {
  const first = await cache.layer([fileEntry('a', 'content')])
  expect((await stat(fileOf(first))).size).toBe(first.size)
  const { mtimeMs } = await stat(fileOf(first))
  expect(await cache.layer([fileEntry('a', 'content')])).toEqual(first)
  expect((await stat(fileOf(first))).mtimeMs).toBe(mtimeMs)
})

it('rebuilds a damaged layer', async () => {
  const first = await cache.layer([fileEntry('a', 'content')])
  await truncate(fileOf(first), 3)
  expect(await cache.layer([fileEntry('a', 'content')])).toEqual(first)
  expect((await stat(fileOf(first))).size).toBe(first.size)
})

it.each([
  ['content', fileEntry('a', 'other')],
  ['mode', fileEntry('a', 'content', { executable: true })],
  ['owner', { ...fileEntry('a', 'content'), uid: 1000 }],
  ['group', { ...fileEntry('a', 'content'), gid: 1000 }],
  ['path', fileEntry('b', 'content')],
  ['type', symlinkEntry('a', 'content')],
])('makes another layer if the %s differs', async (_, other) => {
  const first = await cache.layer([fileEntry('a', 'content')])
  const { diffId } = await cache.layer([other])
  expect(diffId).not.toBe(first.diffId)
  expect(diffId).toBe((await cache.layerOfRecipe({ kind: 'packed' }, async () => [other])).diffId)
})

it('does not keep a layer of files that changed while they were packed', async () => {
  let reads = 0
  const changing = {
    ...fileEntry('a', ''),
    get content() {
      reads += 1
      return Buffer.from(reads === 1 ? 'before' : 'later!')
    },
  }
  await expect(cache.layer([changing])).rejects.toThrow('files changed while they were packed')
  const { diffId } = await cache.layer([fileEntry('a', 'before')])
  const packed = await cache.layerOfRecipe({ kind: 'packed' }, async () => [
    fileEntry('a', 'before'),
  ])
  expect(diffId).toBe(packed.diffId)
})

it('produces the entries of a recipe once', async () => {
  let made = 0
  const produce = async () => {
    made += 1
    return [fileEntry('a', 'content')]
  }
  const first = await cache.layerOfRecipe({ packages: ['a'] }, produce)
  expect(await cache.layerOfRecipe({ packages: ['a'] }, produce)).toEqual(first)
  expect(made).toBe(1)
  await cache.layerOfRecipe({ packages: ['b'] }, produce)
  expect(made).toBe(2)
})

it('reads the entries of a recipe once, and keeps one layer of the same tar', async () => {
  let reads = 0
  const counted = {
    ...fileEntry('a', ''),
    get content() {
      reads += 1
      return Buffer.from('content')
    },
  }
  const first = await cache.layerOfRecipe({ packages: ['a'] }, async () => [counted])
  await rm(fileOf(first))
  expect(await cache.layer([counted])).toEqual(first)
  const known = reads
  // Its hash is enough.
  expect(await cache.layer([counted])).toEqual(first)
  expect(reads - known).toBe(1)

  const { mtimeMs } = await stat(fileOf(first))
  expect(await cache.layerOfRecipe({ packages: ['b'] }, async () => [counted])).toEqual(first)
  expect((await stat(fileOf(first))).mtimeMs).toBe(mtimeMs)
})

it('serves concurrent builds and leaves no temporary files', async () => {
  const layers = await Promise.all(
    [1, 2, 3].map(() => cache.layer([fileEntry('a', 'content'.repeat(10_000))])),
  )
  expect(new Set(layers.map(({ digest }) => digest)).size).toBe(1)
  expect(await readdir(join(cache.directory, 'blobs'))).toHaveLength(1)
})

it('does not store a recipe that failed', async () => {
  const recipe = { kind: 'broken' }
  await expect(
    cache.layerOfRecipe(recipe, () => Promise.reject(new Error('no network'))),
  ).rejects.toThrow('no network')
  const layer = await cache.layerOfRecipe(recipe, async () => [fileEntry('a', 'b')])
  expect(layer.size).toBeGreaterThan(0)
})
