import { existsSync } from 'node:fs'
import { readdir, readFile, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { hostTreeEntries, symlinkEntry, type Entry } from './entries.ts'

interface Manifest {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** Type declarations and source maps: a third of most packages, and not used at run time. */
const NOT_RUN = /\.d\.[cm]?ts$|\.map$/

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
 * Finds where pnpm unpacked a package: in `…/<id>/node_modules/<name>`, with links to its
 * dependencies in the same node_modules.
 */
async function locate(
  link: string,
  name: string,
): Promise<{ id: string; nodeModules: string; folder: string }> {
  const folder = await realpath(link)
  const nodeModules = name.startsWith('@') ? dirname(dirname(folder)) : dirname(folder)
  if (basename(nodeModules) !== 'node_modules') {
    throw new Error(
      `${name} is a package of this workspace, which an image can't have: ` +
        "Node.js doesn't run TypeScript in node_modules",
    )
  }
  return { id: basename(dirname(nodeModules)), nodeModules, folder }
}

/**
 * Returns the production dependencies of a package as entries below `path`, from pnpm's present
 * installation. They have the lockfile's versions, and nothing is installed or downloaded.
 */
export async function productionDependencies(
  packageFolder: string,
  path: string,
): Promise<Entry[]> {
  const manifest = JSON.parse(
    await readFile(join(packageFolder, 'package.json'), 'utf8'),
  ) as Manifest
  const entries: Entry[] = []
  const unpacked = new Map<string, string>()

  /** Adds the package behind `link` and its dependencies; returns its location below `path`. */
  async function unpack(link: string, name: string): Promise<string> {
    const { id, nodeModules, folder } = await locate(link, name)
    const place = `.pnpm/${id}/node_modules/${name}`
    if (unpacked.has(place)) {
      if (unpacked.get(place) !== folder) throw new Error(`two packages claim ${place}`)
      return place
    }
    unpacked.set(place, folder)
    const isKept = (file: string): boolean => !NOT_RUN.test(file) && file !== 'node_modules'
    entries.push(...(await hostTreeEntries(`${path}/${place}`, folder, isKept)))
    for (const dependency of await listPackages(nodeModules)) {
      if (dependency === name) continue
      const target = await unpack(join(nodeModules, dependency), dependency)
      const up = '../'.repeat(dependency.startsWith('@') ? 4 : 3)
      entries.push(symlinkEntry(`${path}/.pnpm/${id}/node_modules/${dependency}`, `${up}${target}`))
    }
    return place
  }

  const optional = Object.keys(manifest.optionalDependencies ?? {})
  for (const name of [...Object.keys(manifest.dependencies ?? {}), ...optional].toSorted()) {
    const link = join(packageFolder, 'node_modules', name)
    if (!existsSync(link)) {
      if (optional.includes(name)) continue
      throw new Error(`${name} is not installed in ${packageFolder}: run pnpm install`)
    }
    const place = await unpack(link, name)
    entries.push(symlinkEntry(`${path}/${name}`, `${name.startsWith('@') ? '../' : ''}${place}`))
  }
  return entries
}
