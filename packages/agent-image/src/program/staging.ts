import { mkdir, mkdtemp, open, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { orderEntries, type Entry } from '../image/entries.ts'
import { openHostFile } from '../image/host-file.ts'
import type { SourceTree } from './source-tree.ts'

/** A folder with a copy of an agent's sources, in which a package manager may install. */
export interface Staging extends AsyncDisposable {
  /** Absolute and without links. It is removed on disposal. */
  readonly folder: string
}

/**
 * Copies the sources that are below `path` in an image to a new folder outside of the agent's, so
 * that a package manager sees what the image will have, and changes nothing of the agent's. Each
 * file must still be where the tree has found it.
 */
export async function stage(
  { entries }: SourceTree,
  path: string,
  signal?: AbortSignal,
): Promise<Staging> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'slipway-staging-')))
  const remove = async () => await rm(folder, { recursive: true, force: true })
  try {
    // Ordered entries have no parent that is a link, so nothing is written outside of the folder.
    for (const entry of orderEntries(entries)) {
      signal?.throwIfAborted()
      if (!entry.path.startsWith(`${path}/`)) continue
      await copy(entry, join(folder, entry.path.slice(path.length + 1)))
    }
  } catch (error) {
    await remove()
    throw error
  }
  return { folder, [Symbol.asyncDispose]: remove }
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
