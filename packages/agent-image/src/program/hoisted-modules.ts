import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { hostTreeEntries, type Entry } from '../image/entries.ts'
import { readManifest, type Manifest } from './manifest.ts'
import { isPackageFile } from './node-modules.ts'

const MODULES = 'node_modules'

/**
 * Returns the production dependencies of a package from folders that npm, Yarn or pnpm's hoisted
 * linker have made: every package is a folder in node_modules of the package, or of a folder above,
 * and may have its own node_modules. `path` is the package's folder in the image. What is above the
 * package, in a workspace, gets the image's root.
 */
export async function hoistedDependencies(packageFolder: string, path: string): Promise<Entry[]> {
  const root = await realpath(packageFolder)
  const folders = new Map<string, string>()
  const entries: Entry[] = []

  async function add(folder: string): Promise<void> {
    const place = placeOf(root, folder, path)
    const known = folders.get(place)
    if (known === folder) return
    if (known !== undefined) throw new Error(`${known} and ${folder} are the same in the image`)
    folders.set(place, folder)
    entries.push(...(await hostTreeEntries(place, folder, isPackageFile)))
    await addDependencies(folder)
  }

  async function addDependencies(folder: string): Promise<void> {
    const manifest = await readManifest(folder)
    for (const [name, isRequired] of dependenciesOf(manifest)) {
      const found = find(folder, name)
      if (found !== undefined) await add(await requirePackage(found, name))
      else if (isRequired) throw notInstalled(name, root)
    }
  }

  await addDependencies(root)
  return entries
}

/** The names of a package's dependencies, and whether it needs each of them. */
function dependenciesOf(manifest: Manifest): Map<string, boolean> {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifest
  return new Map([
    ...Object.keys(peerDependencies).map((name) => [name, false] as const),
    ...Object.keys(dependencies).map((name) => [name, true] as const),
    ...Object.keys(optionalDependencies).map((name) => [name, false] as const),
  ])
}

/** Finds a package as Node.js does: in node_modules of the folder, then of those above it. */
function find(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, MODULES, name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
    if (folder === dirname(folder)) return undefined
  }
}

async function requirePackage(link: string, name: string): Promise<string> {
  const folder = await realpath(link)
  if (folder.split(sep).includes(MODULES)) return folder
  throw new Error(
    `${name} is a package of this workspace, which the image of an agent can't have; ` +
      'publish it, or build the image from a Dockerfile',
  )
}

function placeOf(root: string, folder: string, path: string): string {
  const inside = relative(root, folder)
  if (!inside.startsWith('..')) return `${path}/${inside}`
  const parts = folder.split(sep)
  return parts.slice(parts.indexOf(MODULES)).join('/')
}

/** Returns the error for a dependency that is not installed. */
export function notInstalled(name: string, folder: string): Error {
  const hint = existsSync(join(folder, '.pnp.cjs'))
    ? 'set nodeLinker: node-modules in .yarnrc.yml, and run yarn install'
    : 'run npm install, pnpm install or yarn install there'
  return new Error(`${name} is not installed in ${folder}: ${hint}`)
}
