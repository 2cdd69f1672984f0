import { readdir, readlink, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { requirePathOfArchive } from '../inside.ts'
import type { HostFile } from './host-file.ts'

interface EntryBase {
  /** Path inside the image, without a leading slash. */
  path: string
  mode: number
  uid: number
  gid: number
}

/**
 * A file, directory or link of a layer. It has no timestamps, so the same content produces the same
 * bytes.
 */
export type Entry =
  | (EntryBase & { type: 'file'; content: Buffer | HostFile })
  | (EntryBase & { type: 'directory' })
  | (EntryBase & { type: 'symlink'; target: string })
  | (EntryBase & { type: 'hardlink'; target: string })

/** Returns a file owned by root that all users may read, and execute if `executable`. */
export function fileEntry(
  path: string,
  content: Buffer | string,
  options: { executable?: boolean } = {},
): Entry {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return {
    type: 'file',
    path,
    mode: options.executable ? 0o755 : 0o644,
    uid: 0,
    gid: 0,
    content: bytes,
  }
}

/** Returns a directory, owned by root unless `uid` is given. */
export function directoryEntry(
  path: string,
  options: { mode?: number; uid?: number; gid?: number } = {},
): Entry {
  return {
    type: 'directory',
    path,
    mode: options.mode ?? 0o755,
    uid: options.uid ?? 0,
    gid: options.gid ?? 0,
  }
}

/** Returns a symbolic link. */
export function symlinkEntry(path: string, target: string): Entry {
  return { type: 'symlink', path, target, mode: 0o777, uid: 0, gid: 0 }
}

/**
 * Returns an entry with the content and executable bit of a local file. The content is streamed
 * when the layer is written.
 */
export async function hostFileEntry(path: string, file: string): Promise<Entry> {
  const { size, mode } = await stat(file)
  const executable = (mode & 0o100) !== 0
  return {
    type: 'file',
    path,
    mode: executable ? 0o755 : 0o644,
    uid: 0,
    gid: 0,
    content: { file, sizeBytes: size },
  }
}

/**
 * Returns a local folder and everything in it as entries below `path`. `keep` filters by path
 * relative to the folder.
 */
export async function hostTreeEntries(
  path: string,
  folder: string,
  keep: (relativePath: string) => boolean = () => true,
): Promise<Entry[]> {
  const entries: Entry[] = [directoryEntry(path)]
  async function walk(relative: string): Promise<void> {
    for (const child of await readdir(join(folder, relative), { withFileTypes: true })) {
      const name = relative === '' ? child.name : `${relative}/${child.name}`
      if (!keep(name)) continue
      const source = join(folder, name)
      if (child.isDirectory()) {
        entries.push(directoryEntry(`${path}/${name}`))
        await walk(name)
      } else if (child.isSymbolicLink()) {
        entries.push(symlinkEntry(`${path}/${name}`, await readlink(source)))
      } else if (child.isFile()) {
        entries.push(await hostFileEntry(`${path}/${name}`, source))
      }
    }
  }
  await walk('')
  return entries
}

/**
 * Returns entries in layer order: sorted by path, parents before children, hard links last. Adds
 * missing parents. Throws if two entries have the same path, or if one would be unpacked to a place
 * outside of the image or through a link.
 */
export function orderEntries(entries: readonly Entry[]): Entry[] {
  const byPath = new Map<string, Entry>()
  for (const entry of entries) {
    requirePathOfArchive(entry.path)
    if (entry.type === 'hardlink') requirePathOfArchive(entry.target)
    if (byPath.has(entry.path)) throw new Error(`${entry.path} is in the layer twice`)
    byPath.set(entry.path, entry)
  }
  for (const entry of entries) {
    const parts = entry.path.split('/')
    for (let depth = 1; depth < parts.length; depth++) {
      const parent = parts.slice(0, depth).join('/')
      const known = byPath.get(parent)
      if (known === undefined) byPath.set(parent, directoryEntry(parent))
      else if (known.type !== 'directory')
        throw new Error(`${entry.path} is in the layer, but ${parent} is not a folder there`)
    }
  }
  return [...byPath.values()].toSorted((a, b) => {
    const [first, second] = [Number(a.type === 'hardlink'), Number(b.type === 'hardlink')]
    return first - second || (a.path < b.path ? -1 : 1)
  })
}
