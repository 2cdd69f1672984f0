import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { generatedPlaces } from './generated-folders.ts'
import { YARN_CACHE, YARN_STATE } from './installed-entries.ts'
import { keptFolder } from './kept-folder.ts'

const RECORD = 'installed.json'
const MOST_KEPT = 5
const FOLDER = 'folder'

/**
 * What a manager has installed to build a project. A build moves it to its staging folder and back,
 * so two builds never share it, and one that is killed leaves none. What the build adds is removed.
 * If it has changed anything else, the next build installs again.
 */
export class KeptInstallation {
  readonly #folder: string | undefined
  readonly #places: readonly string[]
  #installed: ReadonlyMap<string, string> | undefined

  /**
   * `places` are those in the project that the manager writes to; `folder` is for these alone.
   * Without it, nothing is kept.
   */
  constructor(folder: string | undefined, places: readonly string[]) {
    this.#folder = folder
    this.#places = places
  }

  /** Moves it to a staging folder, if an earlier build has left it there as it was installed. */
  async take(staged: string): Promise<boolean> {
    if (this.#folder === undefined) return false
    const taken = `${staged}.taken`
    try {
      // One of several builds at the same time has it.
      await rename(this.#folder, taken)
      const text = await readFile(join(taken, RECORD), 'utf8')
      const installed = new Map(JSON.parse(text) as [string, string][])
      const found = stateOf(taken, this.#places)
      if (found.size !== installed.size || hasChanged(installed, found)) return false
      this.#installed = await this.#move(taken, staged, installed)
      return true
    } catch {
      // There is none, or what is there is damaged.
      return false
    } finally {
      await rm(taken, { recursive: true, force: true })
    }
  }

  /**
   * Installs in a staging folder. What is installed isn't for the next build if this has changed
   * other places, if an install script has generated something, which may depend on the sources, or
   * if the manager has noted the staging folder.
   */
  async fill(staged: string, install: () => Promise<void>): Promise<void> {
    const isInPlace = ([path]: [string, string]): boolean =>
      this.#places.some((place) => `${path}/`.startsWith(`${place}/`))
    const isOther = (entry: [string, string]): boolean => !isFolder(entry[1]) && !isInPlace(entry)
    const before = new Map(stateOf(staged).entries().filter(isOther))
    await install()
    const found = stateOf(staged)
    const after = new Map(found.entries().filter(isOther))
    const isWithin = before.size === after.size && !hasChanged(before, after)
    const isGenerated = (await generatedPlaces(staged)).length > 0
    if (isWithin && !isGenerated && !(await isNoted(staged)))
      this.#installed = new Map(found.entries().filter(isInPlace))
  }

  /** Moves it from a staging folder for the next build, or deletes it. */
  async keep(staged: string): Promise<void> {
    const installed = this.#installed
    const found = stateOf(staged, this.#places)
    if (this.#folder !== undefined && installed !== undefined && !hasChanged(installed, found)) {
      for (const path of found.keys())
        if (!installed.has(path)) await rm(join(staged, path), { recursive: true, force: true })
      await keptFolder(this.#folder, async (draft) => {
        const moved = await this.#move(staged, draft, installed)
        await writeFile(join(draft, RECORD), JSON.stringify([...moved]))
      }).catch((error: unknown) => {
        // The staging folder is on another file system than the cache.
        if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
      })
      await prune(dirname(this.#folder))
    }
    for (const place of this.#places)
      await rm(join(staged, place), { recursive: true, force: true })
  }

  /** Moves what is installed. Returns its state there: moving changes a time of a file. */
  async #move(
    from: string,
    to: string,
    installed: ReadonlyMap<string, string>,
  ): Promise<ReadonlyMap<string, string>> {
    const moved = new Map(installed)
    for (const place of this.#places) {
      if (!existsSync(join(from, place))) continue
      await rm(join(to, place), { recursive: true, force: true })
      await mkdir(dirname(join(to, place)), { recursive: true })
      await rename(join(from, place), join(to, place))
      moved.set(place, stateAt(to, place))
    }
    return moved
  }
}

/** Whether Yarn has noted in which folder packages are. Only its linker `pnpm` does. */
async function isNoted(staged: string): Promise<boolean> {
  if (!existsSync(join(staged, YARN_STATE))) return false
  const state = gunzipSync(await readFile(join(staged, YARN_STATE)))
  // Strings of JavaScript are kept in one of these two forms.
  const forms = ['latin1', 'utf16le'] as const
  return forms.some((form) => state.includes(basename(staged), 0, form))
}

function stateOf(folder: string, places: readonly string[] = ['']): Map<string, string> {
  const found = new Map<string, string>()
  const read = (path: string): void => {
    const state = stateAt(folder, path)
    found.set(path, state)
    if (!isFolder(state)) return
    for (const name of readdirSync(join(folder, path))) read(path === '' ? name : `${path}/${name}`)
  }
  for (const place of places) if (existsSync(join(folder, place))) read(place)
  return found
}

/** What changes if a program writes to a file, also if it restores the time of the last change. */
function stateAt(folder: string, path: string): string {
  const facts = lstatSync(join(folder, path), { bigint: true })
  const { mode, ino, size, mtimeNs, ctimeNs } = facts
  // Its times change if it is moved, and if what a build has added is removed.
  if (facts.isDirectory()) return `${FOLDER} ${mode}`
  // Yarn's archives are hard links to its own cache, and each other link changes this time.
  const changed = path.startsWith(`${YARN_CACHE}/`) ? '' : ctimeNs
  return [mode, ino, size, mtimeNs, changed].join(' ')
}

function isFolder(state: string): boolean {
  return state.startsWith(FOLDER)
}

/** Whether something is missing or other than it was. */
function hasChanged(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): boolean {
  return before.entries().some(([path, state]) => now.get(path) !== state)
}

/** Deletes those that have not been used for the longest time. */
async function prune(parent: string): Promise<void> {
  const dated = await Array.fromAsync(await readdir(parent), async (name) => {
    const { mtimeMs } = await stat(join(parent, name)).catch(() => ({ mtimeMs: 0 }))
    return { name, mtimeMs }
  })
  const newestFirst = dated.toSorted((a, b) => b.mtimeMs - a.mtimeMs)
  for (const { name } of newestFirst.slice(MOST_KEPT))
    await rm(join(parent, name), { recursive: true, force: true })
}
