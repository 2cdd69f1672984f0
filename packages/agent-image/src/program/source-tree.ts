import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { directoryEntry, symlinkEntry, type Entry } from '../image/entries.ts'
import { isInside } from '../inside.ts'
import { hasNameOfSecret, holdsPrivateKey, isFolderOfSecrets } from './secret-files.ts'

/** The files of an agent's folder for an image, and those that may hold secrets. */
export interface SourceTree {
  readonly entries: readonly Entry[]
  /** The paths, in the folder, of what stays out because it may hold a secret. */
  readonly secrets: readonly string[]
}

/** Git keeps logins for its remotes in it, and all earlier versions of each file. */
const HISTORY = '.git'

/**
 * Reads what an agent has at these places of its folder, which `''` is, as entries below `path`.
 * They belong to root, so containers can't write. Nothing outside of the folder is read, and files
 * of secrets stay out. Throws if a link or a place leaves the folder.
 */
export async function readSourceTree(
  folder: string,
  path: string,
  places: readonly string[],
  keep: (file: string) => boolean,
): Promise<SourceTree> {
  const root = await realpath(folder)
  const entries = new Map<string, Entry>([[path, directoryEntry(path)]])
  const secrets = new Set<string>()
  const add = (name: string, entry: Entry): void => void entries.set(entry.path, entry)

  async function readFolder(name: string, real: string): Promise<void> {
    if (name !== '') add(name, directoryEntry(`${path}/${name}`))
    for (const child of await readdir(real))
      await read(name === '' ? child : `${name}/${child}`, join(real, child))
  }

  async function read(name: string, file: string): Promise<void> {
    // A place may be a link, whose name says nothing.
    const names = [name, relative(root, file).replaceAll(sep, '/')]
    if (names.some((each) => each.toLowerCase().split('/').includes(HISTORY))) return
    // A folder named `credentials` may be a package of the program.
    const isSecret =
      names.some(isFolderOfSecrets) ||
      (names.some(hasNameOfSecret) && !(await lstat(file)).isDirectory())
    if (isSecret) return void secrets.add(name)
    if (!keep(name)) return
    const found = await lstat(file).catch((error: unknown) => {
      if (!name.includes('\uFFFD')) throw error
      throw new Error(`the name of ${file} is not UTF-8; rename it`, { cause: error })
    })
    if (found.isSymbolicLink()) add(name, await linkEntry(name, file))
    else if (found.isDirectory()) await readFolder(name, file)
    // Sockets and pipes hold no content.
    else if (found.isFile()) await readFile(name, file)
  }

  async function readFile(name: string, file: string): Promise<void> {
    const { size, mode } = await stat(file)
    if (await holdsPrivateKey(file)) return void secrets.add(name)
    add(name, {
      type: 'file',
      path: `${path}/${name}`,
      mode: (mode & 0o100) === 0 ? 0o644 : 0o755,
      uid: 0,
      gid: 0,
      content: { file, sizeBytes: size, inside: root },
    })
  }

  async function linkEntry(name: string, file: string): Promise<Entry> {
    const target = await readlink(file)
    const place = await realpath(file).catch(() => resolve(dirname(file), target))
    if (target.startsWith('/') || !isInside(root, place))
      throw new Error(
        `${name} is a link to ${target}, which the image doesn't have; ` +
          'replace the link with a copy, or with a relative link to a place in the folder',
      )
    return symlinkEntry(`${path}/${name}`, target)
  }

  for (const name of places) {
    const real = await realpath(join(root, name))
    if (!isInside(root, resolve(root, name)) || !isInside(root, real))
      throw new Error(`${name} is ${real}, outside of ${root}; move it into the folder`)
    // What a package lists may be a link; it is a copy in the image.
    if (name === '') await readFolder('', root)
    else await read(name, real)
  }
  return { entries: [...entries.values()], secrets: [...secrets].toSorted() }
}

/** The line that says which files stay out; undefined if there are none. */
export function secretsLine(secrets: readonly string[]): string | undefined {
  if (secrets.length === 0) return undefined
  const more = secrets.length > 10 ? ` and ${secrets.length - 10} more` : ''
  return `left out, because they may hold secrets: ${secrets.slice(0, 10).join(', ')}${more}`
}
