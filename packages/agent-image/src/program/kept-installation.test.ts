import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { KeptInstallation } from './kept-installation.ts'

const MODULES = 'node_modules'
const YARN_STATE = '.yarn/install-state.gz'
const PLACES = [MODULES, `part/${MODULES}`, '.pnp.cjs', '.yarn/cache', YARN_STATE]

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'slipway-installed-'))
  onTestFinished(() => rm(root, { recursive: true }))
})

const open = () => new KeptInstallation(join(root, 'installed', 'key'), PLACES)

async function staging(name: string): Promise<string> {
  const folder = join(root, 'staging', name)
  await mkdir(join(folder, 'part'), { recursive: true })
  await writeFile(join(folder, 'source.ts'), 'source')
  return folder
}

async function install(folder: string): Promise<void> {
  for (const place of [`${MODULES}/one`, `part/${MODULES}/two`, '.yarn/cache']) {
    await mkdir(join(folder, place), { recursive: true })
    await writeFile(join(folder, place, 'index.js'), `installed ${place}`)
  }
  await writeFile(join(folder, '.pnp.cjs'), 'where packages are')
  await writeFile(join(folder, YARN_STATE), gzipSync(''))
}

/** Installs for a build, which then does something. */
async function build(work: (folder: string) => Promise<void>, into = install): Promise<void> {
  const folder = await staging('first')
  const kept = open()
  await kept.fill(folder, async () => await into(folder))
  await work(folder)
  await kept.keep(folder)
  expect(existsSync(join(folder, MODULES))).toBe(false)
}

test('gives the next build what has been installed, without what a build has added', async () => {
  await build(async (folder) => {
    await writeFile(join(folder, MODULES, 'one', 'added.js'), '')
    await mkdir(join(folder, MODULES, '.cache'))
    await writeFile(join(folder, MODULES, '.cache', 'state'), '')
    await mkdir(join(folder, 'dist'))
  })
  const second = await staging('second')
  expect(await open().take(second)).toBe(true)
  expect((await readdir(second, { recursive: true })).toSorted()).toEqual([
    '.pnp.cjs',
    '.yarn',
    '.yarn/cache',
    '.yarn/cache/index.js',
    YARN_STATE,
    'node_modules',
    'node_modules/one',
    'node_modules/one/index.js',
    'part',
    'part/node_modules',
    'part/node_modules/two',
    'part/node_modules/two/index.js',
    'source.ts',
  ])
  // A build at the same time, or after one that was killed, installs by itself.
  expect(await open().take(await staging('third'))).toBe(false)
})

test('gives one build after the other what has been installed', async () => {
  await build(async () => {})
  for (const name of ['second', 'third']) {
    const folder = await staging(name)
    const kept = open()
    expect([name, await kept.take(folder)]).toEqual([name, true])
    await kept.keep(folder)
  }
})

const file = (folder: string): string => join(folder, MODULES, 'one', 'index.js')

test.each<[string, (folder: string) => Promise<void>]>([
  [
    'a change of the same length at the same time',
    async (folder) => {
      const { atime, mtime, ctimeMs } = await stat(file(folder))
      await writeFile(file(folder), (await readFile(file(folder), 'utf8')).toUpperCase())
      // The clock of file systems is coarse.
      do await utimes(file(folder), atime, mtime)
      while ((await stat(file(folder))).ctimeMs === ctimeMs)
    },
  ],
  ['a removal', async (folder) => await rm(file(folder))],
  [
    'another kind',
    async (folder) => {
      await rm(file(folder))
      await mkdir(file(folder))
    },
  ],
])('keeps nothing after %s', async (_, change) => {
  await build(change)
  expect(await open().take(await staging('second'))).toBe(false)
})

test('takes nothing that has changed since', async () => {
  await build(async () => {})
  await writeFile(file(join(root, 'installed', 'key')), 'other')
  const second = await staging('second')
  expect(await open().take(second)).toBe(false)
  expect(await readdir(second)).toEqual(['part', 'source.ts'])
  expect(await readdir(join(root, 'installed'))).toEqual([])
})

test.each<[string, (folder: string) => Promise<void>]>([
  ['elsewhere', async (folder) => await writeFile(join(folder, 'source.ts'), 'changed')],
  ['a new file', async (folder) => await writeFile(join(folder, 'part', 'new'), '')],
  [
    'what it generates',
    async (folder) => {
      await mkdir(join(folder, MODULES, '.prisma'))
    },
  ],
  [
    'its folder',
    async (folder) => await writeFile(join(folder, YARN_STATE), gzipSync(`${folder}/node_modules`)),
  ],
])('keeps nothing if installing writes %s', async (_, write) => {
  await build(
    async () => {},
    async (folder) => {
      await install(folder)
      await write(folder)
    },
  )
  expect(await open().take(await staging('second'))).toBe(false)
})

test('keeps only those that were used last', async () => {
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const folder = await staging(key)
    const kept = new KeptInstallation(join(root, 'installed', key), PLACES)
    await kept.fill(folder, async () => await install(folder))
    await kept.keep(folder)
    await utimes(join(root, 'installed', key), 0, key.charCodeAt(0))
  }
  expect(await readdir(join(root, 'installed'))).toEqual(['b', 'c', 'd', 'e', 'f'])
})

test('keeps nothing, and fails no build, if the cache is on another file system', async () => {
  const folder = await mkdtemp('/dev/shm/slipway-staging-')
  onTestFinished(() => rm(folder, { recursive: true }))
  const kept = open()
  await kept.fill(folder, async () => await install(folder))
  await kept.keep(folder)
  expect(await readdir(join(root, 'installed'))).toEqual([])
  expect(existsSync(join(folder, MODULES))).toBe(false)
})
