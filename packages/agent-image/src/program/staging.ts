import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, realpath, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { orderEntries, type Entry } from '../image/entries.ts'
import { openHostFile } from '../image/host-file.ts'
import type { SourceTree } from './source-tree.ts'

/** A folder with a copy of an agent's sources, in which a package manager may install. */
export interface Staging extends AsyncDisposable {
  /** Absolute and without links. It is removed on disposal. */
  readonly folder: string
}

/** How to make a staging folder. */
export interface StageOptions {
  /** The folder of the cache, on whose file system the staging folder is. */
  readonly cacheDirectory: string
  readonly signal?: AbortSignal | undefined
}

const NAME = 'staging-'
/** A build that takes longer has been killed. */
const LONGEST_BUILD_MS = 24 * 60 * 60 * 1000
/** What managers, compilers and Node.js look for in all folders above a project. */
const LOOKED_FOR_ABOVE = [
  'node_modules',
  'package.json',
  'pnpm-workspace.yaml',
  'yarn.lock',
  'tsconfig.json',
  'pyproject.toml',
  'uv.toml',
  '.git',
]

/**
 * Copies the sources that are below `path` in an image to a new folder outside of the agent's, so
 * that a package manager sees what the image will have, and changes nothing of the agent's. Each
 * file must still be where the tree has found it.
 */
export async function stage(
  { entries }: SourceTree,
  path: string,
  { cacheDirectory, signal }: StageOptions,
): Promise<Staging> {
  const parent = await parentOf(cacheDirectory)
  const folder = await realpath(await mkdtemp(join(parent, NAME)))
  const remove = async () => await rm(folder, { recursive: true, force: true })
  try {
    await copyBelow(entries, path, folder, signal)
  } catch (error) {
    await remove()
    throw error
  }
  return { folder, [Symbol.asyncDispose]: remove }
}

/** Copies the entries that are below `path` to a folder that has none of their files. */
export async function copyBelow(
  entries: readonly Entry[],
  path: string,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  // Ordered entries have no parent that is a link, so nothing is written outside of the folder.
  for (const entry of orderEntries(entries)) {
    signal?.throwIfAborted()
    if (!entry.path.startsWith(`${path}/`)) continue
    await copy(entry, join(folder, entry.path.slice(path.length + 1)))
  }
}

/**
 * The folder for staging folders. It is in the cache, from where and to where files can be moved,
 * unless a tool would find there what is not of the project.
 */
async function parentOf(cacheDirectory: string): Promise<string> {
  await mkdir(cacheDirectory, { recursive: true })
  let above = await realpath(cacheDirectory)
  for (;;) {
    if (LOOKED_FOR_ABOVE.some((name) => existsSync(join(above, name)))) return tmpdir()
    if (above === dirname(above)) break
    above = dirname(above)
  }
  const parent = join(cacheDirectory, 'staging')
  await mkdir(parent, { recursive: true })
  for (const name of await readdir(parent)) {
    const left = join(parent, name)
    const { mtimeMs } = await stat(left).catch(() => ({ mtimeMs: Infinity }))
    if (Date.now() - mtimeMs > LONGEST_BUILD_MS) await rm(left, { recursive: true, force: true })
  }
  return parent
}

async function copy(entry: Entry, place: string): Promise<void> {
  if (entry.type === 'directory') return void (await mkdir(place, { recursive: true }))
  if (entry.type === 'symlink') return await symlink(entry.target, place)
  if (entry.type === 'hardlink') throw new Error(`${entry.path} is a hard link, not a source`)
  await using to = await open(place, 'wx', entry.mode)
  if (Buffer.isBuffer(entry.content)) return await to.writeFile(entry.content)
  await using from = await openHostFile(entry.content)
  for await (const chunk of from.createReadStream({ autoClose: false }))
    await to.writeFile(chunk as Buffer)
}
