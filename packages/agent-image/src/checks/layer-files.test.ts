import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { directoryEntry, fileEntry, symlinkEntry } from '../image/entries.ts'
import { LayerCache } from '../image/layer-cache.ts'
import { layerFiles } from './layer-files.ts'

test('reads a layer once, with what scripts and native files need', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-layer-files-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const cache = new LayerCache(folder)
  const layer = await cache.layer([
    directoryEntry('app'),
    fileEntry('app/run', '#! /usr/bin/perl6 -w\nsay 1', { executable: true }),
    fileEntry('app/main.py', 'print(1)'),
    symlinkEntry('app/link', 'main.py'),
    fileEntry('app/env', readFileSync('/usr/bin/env'), { executable: true }),
    fileEntry('etc/ld.so.conf.d/libc.conf', '/usr/local/lib\n'),
  ])
  const files = await layerFiles(layer, cache)
  const plain = { uid: 0, gid: 0 }
  expect(files).toEqual([
    { ...plain, path: 'app', type: 'directory', mode: 0o755, size: 0 },
    expect.objectContaining({ path: 'app/env', elf: expect.objectContaining({ paths: [] }) }),
    { ...plain, path: 'app/link', type: 'symlink', mode: 0o777, size: 0, target: 'main.py' },
    { ...plain, path: 'app/main.py', type: 'file', mode: 0o644, size: 8 },
    {
      ...plain,
      path: 'app/run',
      type: 'file',
      mode: 0o755,
      size: 26,
      script: '/usr/bin/perl6 -w',
    },
    expect.objectContaining({ path: 'etc' }),
    expect.objectContaining({ path: 'etc/ld.so.conf.d' }),
    expect.objectContaining({ path: 'etc/ld.so.conf.d/libc.conf', text: '/usr/local/lib\n' }),
  ])
  await rm(join(folder, 'blobs'), { recursive: true })
  expect(await layerFiles(layer, cache)).toEqual(files)
})
