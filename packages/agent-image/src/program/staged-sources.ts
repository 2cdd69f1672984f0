import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { hostFileEntry, hostTreeEntries, type Entry } from '../image/entries.ts'
import { isInside } from '../inside.ts'
import { YARN_CACHE } from './installed-entries.ts'
import { LOCKFILES, type NodeProject, type WorkspacePackage } from './node-project.ts'
import { folderRules } from './source-rules.ts'
import { readSourceTree } from './source-tree.ts'

/** The settings of managers, which may have the login of a registry. Images never have them. */
const SETTINGS = ['.npmrc', '.yarnrc', '.yarnrc.yml', 'bunfig.toml']
/** What else managers read in the root of a project, besides package.json and the lockfile. */
const ROOT_FILES = [
  'pnpm-workspace.yaml',
  '.pnpmfile.cjs',
  '.pnpmfile.mjs',
  '.node-version',
  '.nvmrc',
]
const ROOT_FOLDERS = ['patches', '.yarn/patches', '.yarn/plugins', '.yarn/releases']
/** Dependencies that are a file or folder of the project. */
const LOCAL = /^(?:file|link|portal):(?!\/\/)/

/** The files with settings of package managers that a project has. */
export function settingsOf({ root, agent }: NodeProject): string[] {
  return [...new Set([root, agent.folder])]
    .flatMap((folder) => SETTINGS.map((name) => join(folder, name)))
    .filter((file) => existsSync(file))
}

/** Returns what a manager reads to install a project, by its place in the project. */
export async function installSources(
  project: NodeProject,
  needed: readonly WorkspacePackage[],
): Promise<Entry[]> {
  const { root, packages, manager } = project
  const files = [
    ...LOCKFILES[manager],
    ...ROOT_FILES,
    ...[...packages.keys()].flatMap((place) =>
      ['package.json', ...SETTINGS].map((name) => posix.join(place, name)),
    ),
    'package.json',
    ...SETTINGS,
  ]
  const entries = new Map<string, Entry>()
  for (const file of new Set(files))
    if (existsSync(join(root, file))) entries.set(file, await hostFileEntry(file, join(root, file)))
  const folders = [...ROOT_FOLDERS, ...(await localPlaces(root, needed, packages))]
  for (const place of new Set(folders)) {
    const source = join(root, place)
    if (!existsSync(source)) continue
    for (const entry of await treeOrFile(place, source)) entries.set(entry.path, entry)
  }
  return [...entries.values()]
}

/**
 * Returns the archives of packages that a project with Yarn has committed, so that Yarn needs no
 * network. The lockfile has their hashes, so they decide nothing.
 */
export async function committedArchives({ root, manager }: NodeProject): Promise<Entry[]> {
  const folder = join(root, YARN_CACHE)
  if (manager !== 'yarn' || !existsSync(folder)) return []
  return await hostTreeEntries(YARN_CACHE, folder)
}

/**
 * Returns what building these packages may read: their sources, and what else the root has that is
 * not another package of the workspace.
 */
export async function buildSources(
  { root, packages }: NodeProject,
  needed: readonly WorkspacePackage[],
  signal: AbortSignal | undefined,
): Promise<Entry[]> {
  const entries = new Map<string, Entry>()
  const used = new Set(needed.map(({ place }) => place))
  for (const { place, folder } of [{ place: '', folder: root }, ...needed]) {
    const rules = await folderRules(folder, [], signal)
    const leavesOut = (name: string): string | undefined => {
      const at = posix.join(place, name)
      return packages.has(at) && !used.has(at) ? 'it is another package' : rules(name)
    }
    const tree = await readSourceTree(folder, 'sources', [''], leavesOut)
    for (const entry of tree.entries) {
      const path = posix.join(place, entry.path.slice('sources'.length + 1))
      if (path !== '.' && path !== '') entries.set(path, { ...entry, path })
    }
  }
  return [...entries.values()]
}

async function localPlaces(
  root: string,
  needed: readonly WorkspacePackage[],
  packages: NodeProject['packages'],
): Promise<string[]> {
  const places: string[] = []
  for (const { place, manifest } of needed) {
    const { dependencies, devDependencies, optionalDependencies } = manifest
    const all = { ...devDependencies, ...optionalDependencies, ...dependencies }
    for (const [name, version] of Object.entries(all)) {
      if (!LOCAL.test(version)) continue
      const at = posix.join(place, version.replace(LOCAL, ''))
      if (packages.has(at)) continue
      const real = await realpath(join(root, at)).catch(() => join(root, at))
      if (at.startsWith('..') || !isInside(root, real))
        throw new Error(
          `${name} of ${join(root, place, 'package.json')} is ${version}, outside of ${root}; ` +
            'move it into the project, make it a package of the workspace, or use a Dockerfile',
        )
      places.push(at)
    }
  }
  return places
}

async function treeOrFile(place: string, source: string): Promise<readonly Entry[]> {
  const name = place.slice(place.lastIndexOf('/') + 1)
  if (/\.(tgz|tar\.gz|tar)$/.test(name)) return [await hostFileEntry(place, source)]
  return await hostTreeEntries(place, source, (file) => !file.split('/').includes('node_modules'))
}
