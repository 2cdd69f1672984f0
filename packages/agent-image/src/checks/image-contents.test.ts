import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fileEntry } from '../image/entries.ts'
import { LayerCache } from '../image/layer-cache.ts'
import { imageContents, sizeWarnings } from './image-contents.ts'
import type { LayerFile } from './layer-files.ts'

const file = (path: string, size: number): LayerFile => ({
  path,
  size,
  type: 'file',
  mode: 0o644,
  uid: 0,
  gid: 0,
})

test('warns of large layers, and names the packages that make them so', () => {
  const files = [
    file('app/.venv/lib/python3.13/site-packages/torch/lib/a.so', 90e6),
    file('app/.venv/lib/python3.13/site-packages/torch/b.so', 60e6),
    file('app/node_modules/@next/swc/a.node', 30e6),
    file('app/node_modules/.pnpm/sharp@1.0.0/node_modules/sharp/a.node', 21e6),
    file('app/data/model.bin', 25e6),
    file('app/main.py', 1),
  ]
  expect(sizeWarnings(files)).toEqual([
    expect.stringContaining(
      'the image has 226 MB above its base; the largest are ' +
        '/app/.venv/lib/python3.13/site-packages/torch (150 MB), ' +
        '/app/node_modules/@next/swc (30 MB), /app/data (25 MB), ' +
        '/app/node_modules/.pnpm/sharp@1.0.0 (21 MB), /app/main.py (1 kB);',
    ),
  ])
  expect(sizeWarnings(files.slice(1))).toEqual([])
})

test('lists files with their layers, and what is left out with its rule', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-image-contents-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const cache = new LayerCache(folder)
  const own = [
    {
      name: 'dependencies' as const,
      reason: 'npm installs what package-lock.json names',
      layer: await cache.layer([fileEntry('app/node_modules/a/index.js', '12')]),
    },
    {
      name: 'application' as const,
      reason: 'no rule leaves it out',
      layer: await cache.layer([fileEntry('app/main.js', '123')]),
    },
  ]
  const leftOut = new Map([
    ['data', '.dockerignore names it'],
    ['.env', 'it may hold a secret'],
    ['.venv', 'it is a virtual environment'],
  ])
  expect(await imageContents(own, leftOut, cache)).toEqual({
    files: [
      {
        path: '/app/node_modules/a/index.js',
        sizeBytes: 2,
        layer: 'dependencies',
        reason: 'npm installs what package-lock.json names',
      },
      { path: '/app/main.js', sizeBytes: 3, layer: 'application', reason: 'no rule leaves it out' },
    ],
    leftOut: [
      { path: '.env', rule: 1, reason: 'it may hold a secret' },
      { path: '.venv', rule: 3, reason: 'it is a virtual environment' },
      { path: 'data', rule: 5, reason: '.dockerignore names it' },
    ],
    folders: [
      { path: '/app/main.js', sizeBytes: 3 },
      { path: '/app/node_modules/a', sizeBytes: 2 },
    ],
  })
})
