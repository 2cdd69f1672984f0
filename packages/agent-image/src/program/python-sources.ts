import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join, posix, relative, sep } from 'node:path'
import { hostFileEntry, symlinkEntry, type Entry } from '../image/entries.ts'
import { APPLICATION_PATH, WORKSPACE_PATH } from './application.ts'
import { treeWithoutLogins } from './manager-logins.ts'
import { findApp, type PythonApp } from './python-apps.ts'
import { MANAGER_FILES, readEntry } from './python-project.ts'
import { findPythonWorkspace, neededMembers, type PythonWorkspace } from './python-workspace.ts'
import { requirementFiles } from './requirement-files.ts'
import { sourceTree, type SourceOptions } from './source-files.ts'
import type { SourceTree } from './source-tree.ts'

/** The sources of a Python agent. */
export interface PythonSourceFiles {
  /** The agent's folder. */
  readonly folder: string
  /** The uv workspace that it is in. */
  readonly workspace: PythonWorkspace | undefined
  /** The folder that is staged, and its path in the image: the workspace, or the agent's folder. */
  readonly root: string
  readonly top: string
  /** The path of the agent's folder in the image. */
  readonly path: string
  /** What the image has. */
  readonly tree: SourceTree
  /** What the package manager sees: also its own files that a rule leaves out of the image. */
  readonly staged: SourceTree
  /** Whether the folder has a file, although a rule may leave it out of the image. */
  readonly has: (name: string) => boolean
  readonly find: (name: string) => Entry | undefined
  /** As `find`, or else in the root of the workspace. */
  readonly findShared: (name: string) => Entry | undefined
  /** Objects of web frameworks at the top of the sources, and in their packages. */
  readonly apps: () => Promise<PythonApp[]>
}

/** Where an app is looked for: at the top of the sources, and in their packages. */
const SERVED = /^(?!tests?\/)(?:src\/)?(?:\w+\/)?\w+\.py$/

/** The file with the version of Python that a project wants. */
export const VERSION_FILE = '.python-version'

/** Reads the sources of the Python agent in a folder, and of the members that it needs. */
export async function pythonSources(
  folder: string,
  options: SourceOptions,
): Promise<PythonSourceFiles> {
  const workspace = await findPythonWorkspace(folder)
  const root = workspace?.root ?? (await realpath(folder))
  const top = workspace === undefined ? APPLICATION_PATH : WORKSPACE_PATH
  const path = posix.join(top, workspace?.agent.place ?? '')
  const own = await sourceTree(folder, path, [], options)
  const entries = new Map(own.entries.map((entry) => [entry.path, entry]))
  const known = new Map(entries)
  if (workspace !== undefined) {
    entries.set(APPLICATION_PATH, symlinkEntry(APPLICATION_PATH, path))
    const needed = new Set(neededMembers(workspace))
    for (const member of workspace.members) {
      const isDynamic = member.pyproject.project?.dynamic !== undefined
      if (member === workspace.agent || !(needed.has(member) || isDynamic)) continue
      const place = posix.join(top, member.place)
      for (const entry of (await sourceTree(member.folder, place, [], options)).entries) {
        known.set(entry.path, entry)
        if (needed.has(member)) entries.set(entry.path, entry)
      }
    }
  }
  const places = new Set([folder, root, ...(workspace?.members ?? []).map((each) => each.folder)])
  for (const place of places)
    for (const name of [...MANAGER_FILES, VERSION_FILE]) {
      const file = join(place, name)
      const at = posix.join(top, relative(root, file).replaceAll(sep, '/'))
      if (!known.has(at) && existsSync(file)) known.set(at, await managerFile(at, file, root))
    }
  const requirements = await requirementFiles(folder, 'requirements.txt')
  const whole = { entries: [...entries.values()], leftOut: own.leftOut }
  const tree = await treeWithoutLogins(whole, path, options.progress, requirements.keys())
  const find = (name: string): Entry | undefined => known.get(`${path}/${name}`)
  return {
    folder,
    workspace,
    root,
    top,
    path,
    tree,
    staged: {
      // The image's Python is taken, and pyenv would look for another one.
      entries: [...known.values()].filter((entry) => !entry.path.endsWith(VERSION_FILE)),
      leftOut: own.leftOut,
    },
    has: (name) => find(name) !== undefined || existsSync(join(folder, name)),
    find,
    findShared: (name) => find(name) ?? known.get(`${top}/${name}`),
    async apps() {
      const found = []
      for (const entry of own.entries) {
        const file = entry.path.slice(path.length + 1)
        if (entry.type !== 'file' || !SERVED.test(file)) continue
        const inPackage = entries.has(`${posix.dirname(entry.path)}/__init__.py`)
        const app = findApp(file, await readEntry(entry), inPackage)
        if (app !== undefined) found.push(app)
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
