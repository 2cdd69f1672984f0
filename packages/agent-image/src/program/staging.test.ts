import { existsSync } from 'node:fs'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { fileEntry, symlinkEntry } from '../image/entries.ts'
import { sourceTree } from './source-files.ts'
import { stage } from './staging.ts'

let folder: string
let cacheDirectory: string
beforeEach(async () => {
  const parent = await mkdtemp(join(tmpdir(), 'slipway-sources-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  folder = join(parent, 'agent')
  cacheDirectory = join(parent, 'cache')
  await mkdir(join(folder, 'lib/empty'), { recursive: true })
  await writeFile(join(folder, 'main.py'), 'import lib')
  await writeFile(join(folder, 'lib/run.sh'), '#!/bin/sh')
  await chmod(join(folder, 'lib/run.sh'), 0o700)
})

const sources = async () => await sourceTree(folder, 'app', [], { progress: () => {} })

test('copies the selected sources, with programs and links, and removes the copy', async () => {
  await writeFile(join(folder, '.env'), 'KEY=secret')
  await symlink('../main.py', join(folder, 'lib/main.py'))
  let copied: string
  {
    await using staging = await stage(await sources(), 'app', { cacheDirectory })
    copied = staging.folder
    const names = await readdir(copied, { recursive: true })
    expect(names.toSorted()).toEqual(['lib', 'lib/empty', 'lib/main.py', 'lib/run.sh', 'main.py'])
    expect(await readFile(join(copied, 'main.py'), 'utf8')).toBe('import lib')
    expect(await readlink(join(copied, 'lib/main.py'))).toBe('../main.py')
    expect((await stat(join(copied, 'lib/run.sh'))).mode & 0o111).not.toBe(0)
    await writeFile(join(copied, 'main.py'), 'changed by a manager')
  }
  expect(existsSync(copied)).toBe(false)
  expect(await readFile(join(folder, 'main.py'), 'utf8')).toBe('import lib')
})

test('reads nothing outside of the folder if a folder becomes a link meanwhile', async () => {
  await mkdir(join(folder, '../outside'))
  await writeFile(join(folder, '../outside/run.sh'), '123456789')
  const tree = await sources()
  await rename(join(folder, 'lib'), join(folder, '../lib'))
  await symlink('../outside', join(folder, 'lib'))
  await expect(stage(tree, 'app', { cacheDirectory })).rejects.toThrow(/lib\/run.sh is .*outside/)
})

test('writes nothing through a link', async () => {
  const entries = [symlinkEntry('app/lib', '/tmp'), fileEntry('app/lib/a', '')]
  await expect(stage({ entries, leftOut: new Map() }, 'app', { cacheDirectory })).rejects.toThrow(
    'is not a folder',
  )
})

test('is in the cache, unless tools would find there what is not of the project', async () => {
  const left = join(cacheDirectory, 'staging', 'staging-killed')
  await mkdir(left, { recursive: true })
  await utimes(left, new Date(0), new Date(0))
  await using inCache = await stage(await sources(), 'app', { cacheDirectory })
  expect(inCache.folder).toContain(join(cacheDirectory, 'staging'))
  // What a killed build has left goes.
  expect(existsSync(left)).toBe(false)
  await mkdir(join(cacheDirectory, '../node_modules'))
  await using elsewhere = await stage(await sources(), 'app', { cacheDirectory })
  expect(elsewhere.folder).not.toContain(cacheDirectory)
})
