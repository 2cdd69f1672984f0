import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import { LOCK_FILE } from '../base/base-lock.ts'
import { directoryEntry, symlinkEntry, type Entry } from '../image/entries.ts'
import { isInside } from '../inside.ts'
import { firstNames } from '../progress.ts'
import { hasNameOfSecret, holdsPrivateKey, isFolderOfSecrets } from './secret-files.ts'
import { DOCKER_RULE, GIT_RULE, HISTORY_RULE, SECRET_RULE, type LeavesOut } from './source-rules.ts'

/** The files of an agent's folder for an image, and what stays out. */
export interface SourceTree {
  readonly entries: readonly Entry[]
  /** The rules that leave files or folders out, by their paths in the folder. */
  readonly leftOut: ReadonlyMap<string, string>
}

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
  leavesOut: LeavesOut,
): Promise<SourceTree> {
  const root = await realpath(folder)
  const entries = new Map<string, Entry>([[path, directoryEntry(path)]])
  const leftOut = new Map<string, string>()
  const add = (entry: Entry): void => void entries.set(entry.path, entry)

  async function readFolder(name: string, real: string): Promise<void> {
    for (const child of await readdir(real))
      await read(name === '' ? child : `${name}/${child}`, join(real, child))
  }

  async function read(name: string, file: string): Promise<void> {
    // A place may be a link, whose name says nothing.
    const names = [name, relative(root, file).replaceAll(sep, '/')]
    if (names.some((each) => each.toLowerCase().split('/').includes(HISTORY)))
      return void leftOut.set(name, HISTORY_RULE)
    // A build writes it, so with it the next build would have another image.
    if (posix.basename(name) === LOCK_FILE) return
    // A folder named `credentials` may be a package of the program.
    const isSecret =
      names.some(isFolderOfSecrets) ||
      (names.some(hasNameOfSecret) && !(await lstat(file)).isDirectory())
    if (isSecret) return void leftOut.set(name, SECRET_RULE)
    const rule = leavesOut(name)
    if (rule !== undefined) leftOut.set(name, rule)
    const found = await lstat(file).catch((error: unknown) => {
      if (!name.includes('\uFFFD')) throw error
      throw new Error(`the name of ${file} is not UTF-8; rename it`, { cause: error })
    })
    if (found.isDirectory()) {
      // A rule that leaves a folder out may let some of its files in.
      if (rule === undefined) add(directoryEntry(`${path}/${name}`))
      if (rule === undefined || rule === DOCKER_RULE) await readFolder(name, file)
    } else if (rule !== undefined) return
    else if (found.isSymbolicLink()) add(await linkEntry(name, file))
    // Sockets and pipes hold no content.
    else if (found.isFile()) await readFile(name, file)
  }

  async function readFile(name: string, file: string): Promise<void> {
    const { size, mode } = await stat(file)
    if (await holdsPrivateKey(file)) return void leftOut.set(name, SECRET_RULE)
    add({
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
          'replace it with a copy or a relative link to a place in the folder, or name it in ' +
          '.dockerignore',
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
  return { entries: [...entries.values()], leftOut }
}

/** The lines that say which files stay out: secrets, and what git ignores. */
export function leftOutLines({ leftOut }: SourceTree): string[] {
  const pathsOf = (rule: string) =>
    [...leftOut].flatMap(([path, each]) => (each === rule ? [path] : []))
  const ignored = 'left out, because git ignores them (git add --force adds them)'
  return [...secretLines(pathsOf(SECRET_RULE)), ...lineOf(ignored, pathsOf(GIT_RULE))]
}

/** The line that says which files of secrets stay out, if there are any. */
export function secretLines(paths: readonly string[]): string[] {
  return lineOf('left out, because they may hold secrets', paths)
}

function lineOf(text: string, paths: readonly string[]): string[] {
  return paths.length === 0 ? [] : [`${text}: ${firstNames(paths.toSorted(), 10)}`]
}
