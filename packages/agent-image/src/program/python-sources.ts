import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { hostFileEntry, type Entry } from '../image/entries.ts'
import { APPLICATION_PATH } from './application.ts'
import { MANAGER_FILES, readEntry } from './python-project.ts'
import { sourceTree, type SourceOptions } from './source-files.ts'
import type { SourceTree } from './source-tree.ts'

/** The sources of a Python agent. */
export interface PythonSourceFiles {
  /** The agent's folder. */
  readonly folder: string
  /** What the image has. */
  readonly tree: SourceTree
  /** What the package manager sees: also its own files that a rule leaves out of the image. */
  readonly staged: SourceTree
  /** Whether the folder has a file, although a rule may leave it out of the image. */
  readonly has: (name: string) => boolean
  readonly find: (name: string) => Entry | undefined
  /** Objects of web frameworks at the top of the sources, as `main:app`. */
  readonly apps: () => Promise<string[]>
}

const APP = /^(\w+)\s*(?::\s*\w+\s*)?=\s*(?:fastapi\.)?(?:FastAPI|Starlette|Litestar|Quart)\(/m

/** Reads the sources of the Python agent in a folder. */
export async function pythonSources(
  folder: string,
  options: SourceOptions,
): Promise<PythonSourceFiles> {
  const tree = await sourceTree(folder, APPLICATION_PATH, [], options)
  const known = new Map(tree.entries.map((entry) => [entry.path, entry]))
  const root = await realpath(folder)
  for (const name of MANAGER_FILES) {
    const path = `${APPLICATION_PATH}/${name}`
    const file = join(folder, name)
    if (!known.has(path) && existsSync(file)) known.set(path, await managerFile(path, file, root))
  }
  const find = (name: string): Entry | undefined => known.get(`${APPLICATION_PATH}/${name}`)
  return {
    folder,
    tree,
    staged: { entries: [...known.values()], leftOut: tree.leftOut },
    has: (name) => find(name) !== undefined || existsSync(join(folder, name)),
    find,
    async apps() {
      const found = []
      for (const entry of tree.entries) {
        const name = /^(?:src\/)?(\w+)\.py$/.exec(
          entry.path.slice(APPLICATION_PATH.length + 1),
        )?.[1]
        if (entry.type !== 'file' || name === undefined) continue
        const app = APP.exec(await readEntry(entry))?.[1]
        if (app !== undefined) found.push(`${name}:${app}`)
      }
      return found
    },
  }
}

async function managerFile(path: string, file: string, inside: string): Promise<Entry> {
  const entry = await hostFileEntry(path, file)
  if (entry.type !== 'file' || Buffer.isBuffer(entry.content)) return entry
  return { ...entry, content: { ...entry.content, inside } }
}
