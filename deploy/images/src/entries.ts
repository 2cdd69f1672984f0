import { readdir, readlink, stat } from 'node:fs/promises'
import { join } from 'node:path'

interface EntryBase {
  /** Path inside the image, without a leading slash. */
  path: string
  mode: number
  uid: number
  gid: number
}

/**
 * One member of a layer. Times are never part of it: the same content always gives the same bytes.
 */
export type Entry =
  | (EntryBase & { type: 'file'; content: Buffer | { file: string; sizeBytes: number } })
  | (EntryBase & { type: 'directory' })
  | (EntryBase & { type: 'symlink'; target: string })
  | (EntryBase & { type: 'hardlink'; target: string })

/** A file of root's that everybody may read, and execute when `executable`. */
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

/** A directory of root's, or one that `uid` may write. */
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

/** A symbolic link. */
export function symlinkEntry(path: string, target: string): Entry {
  return { type: 'symlink', path, target, mode: 0o777, uid: 0, gid: 0 }
}

/**
 * A file of this machine, streamed when the layer is written. Only its executable bit is taken
 * over.
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
 * A folder of this machine with all that is below it, as `path`; `keep` sees names relative to the
 * folder.
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
 * The order entries have in a layer: by code unit, parents before children, missing parents added,
 * links after what they name.
 */
export function orderEntries(entries: readonly Entry[]): Entry[] {
  const byPath = new Map<string, Entry>()
  for (const entry of entries) {
    if (byPath.has(entry.path)) throw new Error(`${entry.path} is in the layer twice`)
    byPath.set(entry.path, entry)
  }
  for (const entry of entries) {
    const parts = entry.path.split('/')
    for (let depth = 1; depth < parts.length; depth++) {
      const parent = parts.slice(0, depth).join('/')
      if (!byPath.has(parent)) byPath.set(parent, directoryEntry(parent))
    }
  }
  return [...byPath.values()].toSorted((a, b) => {
    const [first, second] = [Number(a.type === 'hardlink'), Number(b.type === 'hardlink')]
    return first - second || (a.path < b.path ? -1 : 1)
  })
}
