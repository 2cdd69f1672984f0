import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const MODULES = '/node_modules'
/** What managers make in node_modules, and caches. Other names with a dot are of generators. */
const NOT_GENERATED: ReadonlySet<string> = new Set([
  '.bin',
  '.bun',
  '.cache',
  '.pnpm',
  '.store',
  '.tmp',
  '.vite',
  '.vite-temp',
])

/** What generators such as Prisma write next to packages. Images have it, by its place. */
export class GeneratedFolders implements AsyncDisposable {
  readonly #folder: string
  readonly isEmpty: boolean

  private constructor(folder: string, isEmpty: boolean) {
    this.#folder = folder
    this.isEmpty = isEmpty
  }

  /** Moves it out of a staging folder. Disposal deletes it. */
  static async moveFrom(staged: string): Promise<GeneratedFolders> {
    const folder = `${staged}.generated`
    const places = await generatedPlaces(staged)
    for (const place of places) {
      await mkdir(dirname(join(folder, place)), { recursive: true })
      await rename(join(staged, place), join(folder, place))
    }
    return new GeneratedFolders(folder, places.length === 0)
  }

  /** Copies it to what has been installed for production. */
  async copyTo(staged: string): Promise<void> {
    if (!this.isEmpty) await cp(this.#folder, staged, { recursive: true, verbatimSymlinks: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/** The folders that generators have made, the outermost ones. */
export async function generatedPlaces(staged: string): Promise<string[]> {
  const found: string[] = []
  const read = async (place: string): Promise<void> => {
    for (const child of await readdir(join(staged, place), { withFileTypes: true })) {
      if (!child.isDirectory()) continue
      const path = `${place}/${child.name}`
      const isGenerated =
        place.endsWith(MODULES) && child.name.startsWith('.') && !NOT_GENERATED.has(child.name)
      if (isGenerated) found.push(path)
      else await read(path)
    }
  }
  await read('')
  return found
}
