import { existsSync } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { hostTreeEntries, symlinkEntry, type Entry } from '../image/entries.ts'
import { readManifest } from './manifest.ts'
import { npmComponent, relate, type Component, type Relations } from '../sbom.ts'

/** Type declarations and source maps: a third of most packages, not used at run time. */
const NOT_RUN = /\.d\.[cm]?ts$|\.map$/

/** Whether a file of a package, by its path in the package, belongs into an image. */
export function isPackageFile(file: string): boolean {
  return !NOT_RUN.test(file) && file !== 'node_modules'
}

/** Returns the names of the packages in a node_modules folder. */
async function listPackages(nodeModules: string): Promise<string[]> {
  const names: string[] = []
  for (const name of await readdir(nodeModules)) {
    if (name.startsWith('.')) continue
    if (name.startsWith('@')) {
      for (const scoped of await readdir(join(nodeModules, name))) names.push(`${name}/${scoped}`)
    } else names.push(name)
  }
  return names.toSorted()
}

/**
 * Returns the node_modules into which pnpm unpacked the package in `folder`, with links to its
 * dependencies: `…/<id>/node_modules/<name>`. Undefined for a package of the workspace.
 */
function nodeModulesOf(folder: string, name: string): string | undefined {
  const parent = name.startsWith('@') ? dirname(dirname(folder)) : dirname(folder)
  return basename(parent) === 'node_modules' ? parent : undefined
}

/** Whether a dependency's folder, without links, is one of the workspace and not from npm. */
export function isWorkspacePackage(folder: string, name: string): boolean {
  return nodeModulesOf(folder, name) === undefined
}

/** Returns the link of each production dependency of a package, by name. */
export async function dependencyLinks(packageFolder: string): Promise<Map<string, string>> {
  const manifest = await readManifest(packageFolder)
  const optional = Object.keys(manifest.optionalDependencies ?? {})
  const links = new Map<string, string>()
  for (const name of [...Object.keys(manifest.dependencies ?? {}), ...optional].toSorted()) {
    const link = join(packageFolder, 'node_modules', name)
    if (existsSync(link)) links.set(name, link)
    else if (!optional.includes(name))
      throw new Error(`${name} is not installed in ${packageFolder}: run pnpm install`)
  }
  return links
}

/** The npm packages of an image in pnpm's layout, copied from pnpm's present installation. */
export class PackageStore {
  /** The packages' files and the links between them. */
  readonly entries: Entry[] = []
  /** The packages by their place below node_modules. */
  readonly components = new Map<string, Component>()
  readonly relations: Relations = new Map()
  readonly #path: string
  readonly #folders = new Map<string, string>()

  /** Makes an empty store; `path` is its node_modules in the image. */
  constructor(path: string) {
    this.#path = path
  }

  /** Adds the package behind `link` and all that it needs; returns its place in node_modules. */
  async add(link: string, name: string): Promise<string> {
    const folder = await realpath(link)
    const nodeModules = nodeModulesOf(folder, name)
    if (nodeModules === undefined) throw new Error(`${name} is a package of this workspace`)
    const id = basename(dirname(nodeModules))
    const place = `.pnpm/${id}/node_modules/${name}`
    if (this.#folders.has(place)) {
      if (this.#folders.get(place) !== folder) throw new Error(`two packages claim ${place}`)
      return place
    }
    this.#folders.set(place, folder)
    const component = npmComponent(await readManifest(folder))
    this.components.set(place, component)
    this.entries.push(...(await hostTreeEntries(`${this.#path}/${place}`, folder, isPackageFile)))
    for (const dependency of await listPackages(nodeModules)) {
      if (dependency === name) continue
      const target = await this.add(join(nodeModules, dependency), dependency)
      const needed = this.components.get(target)
      if (needed) relate(this.relations, component, needed)
      const up = '../'.repeat(dependency.startsWith('@') ? 4 : 3)
      const at = `${this.#path}/.pnpm/${id}/node_modules/${dependency}`
      this.entries.push(symlinkEntry(at, `${up}${target}`))
    }
    return place
  }
}

/**
 * Returns the production dependencies of a package as entries below `path`, from pnpm's current
 * installation. Their versions are those of the lockfile; nothing is installed or downloaded.
 */
export async function linkedDependencies(
  packageFolder: string,
  path: string,
): Promise<PackageStore> {
  const store = new PackageStore(path)
  for (const [name, link] of await dependencyLinks(packageFolder)) {
    const folder = await realpath(link)
    if (isWorkspacePackage(folder, name)) {
      if (folder.split(sep).includes('node_modules')) {
        throw new Error(
          `${name} is in ${folder}, a layout that images can't have: with Yarn, ` +
            'set nodeLinker: node-modules in .yarnrc.yml, and run yarn install',
        )
      }
      throw new Error(
        `${name} is a package of this workspace, which the image of an agent can't have: ` +
          "Node.js doesn't run TypeScript in node_modules",
      )
    }
    const place = await store.add(link, name)
    store.entries.push(
      symlinkEntry(`${path}/${name}`, `${name.startsWith('@') ? '../' : ''}${place}`),
    )
  }
  return store
}
