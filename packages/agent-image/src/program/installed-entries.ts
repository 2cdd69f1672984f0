import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { hostFileEntry, hostTreeEntries, type Entry } from '../image/entries.ts'
import { withoutLogin } from './manager-logins.ts'
import type { NodeProject } from './node-project.ts'

const MODULES = 'node_modules'
/** What managers note for themselves in node_modules, with times and paths of this machine. */
const NOTES = /(^|\/)(\.modules\.yaml|\.pnpm-workspace-state[^/]*|\.yarn-integrity|\.cache)(\/|$)/
/** What they note there of what is installed, also for programs. */
const RECORDS = /(^|\/)(\.package-lock\.json|\.pnpm\/lock\.yaml|\.yarn-state\.yml|\.pnp\.cjs)$/
/** Where Yarn has the archives of packages, in the root of the project. */
export const YARN_CACHE = '.yarn/cache'
/** Where Yarn's Plug'n'Play has packages in place of node_modules, in the root of the project. */
export const PLUG_AND_PLAY = ['.pnp.cjs', '.pnp.loader.mjs', YARN_CACHE, '.yarn/unplugged']

/** Where Yarn notes what it has installed. Without it, Yarn runs no script. */
export const YARN_STATE = '.yarn/install-state.gz'
/** What Yarn notes for itself. */
const YARN_NOTES = ['.pnp.data.json', YARN_STATE, '.yarn/build-state.yml']

/** The places to which managers write what they install, in the root of a project. */
export function installedPlaces({ packages }: NodeProject): string[] {
  const modules = [...new Set(['', ...packages.keys()])].map((place) => posix.join(place, MODULES))
  return [...modules, ...PLUG_AND_PLAY, ...YARN_NOTES]
}

/** Returns what a manager has installed in a staging folder as entries below `path`. */
export async function installedEntries(
  staged: string,
  project: NodeProject,
  path: string,
): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const place of project.packages.keys()) {
    const folder = join(staged, place, MODULES)
    if (!existsSync(folder)) continue
    const below = [path, place, MODULES].filter((part) => part !== '').join('/')
    entries.push(...(await hostTreeEntries(below, folder, (name) => !NOTES.test(name))))
  }
  // Without Plug'n'Play, the cache has again what node_modules has.
  const isPlugAndPlay = existsSync(join(staged, '.pnp.cjs'))
  const names = isPlugAndPlay ? await readFile(join(staged, '.pnp.cjs'), 'utf8') : ''
  // Yarn leaves the archives that the project has committed for development. The originals of
  // patched and unplugged packages are left out, too: Node.js reads the results.
  const isUsed = (name: string): boolean => !name.endsWith('.zip') || names.includes(`/${name}/`)
  const all = (): boolean => true
  for (const place of isPlugAndPlay ? PLUG_AND_PLAY : []) {
    const source = join(staged, place)
    if (!existsSync(source)) continue
    const isFile = place.startsWith('.pnp')
    if (isFile) entries.push(await hostFileEntry(`${path}/${place}`, source))
    else {
      const keep = place === YARN_CACHE ? isUsed : all
      entries.push(...(await hostTreeEntries(`${path}/${place}`, source, keep)))
    }
  }
  // They have the addresses of packages, perhaps with a login.
  return await Promise.all(
    entries.map(async (entry) => (RECORDS.test(entry.path) ? await withoutLogin(entry) : entry)),
  )
}

/** Throws if a link leads out of the project, to a place that the image doesn't have. */
export function requireLinksInside(entries: readonly Entry[], path: string): void {
  for (const entry of entries) {
    if (entry.type !== 'symlink') continue
    const place = posix.join(posix.dirname(entry.path), entry.target)
    if (entry.target.startsWith('/') || (place !== path && !place.startsWith(`${path}/`)))
      throw new Error(
        `${entry.path.slice(path.length + 1)} is a link to ${entry.target}, outside of the ` +
          'project; install a copy of the package, or make it a package of the workspace',
      )
  }
}

/** The variables with which Node.js finds these packages: those of Yarn's Plug'n'Play. */
export function variablesOf(entries: readonly Entry[], path: string): Record<string, string> {
  const has = (name: string): boolean => entries.some((entry) => entry.path === `${path}/${name}`)
  if (!has('.pnp.cjs')) return {}
  const loader = has('.pnp.loader.mjs')
    ? ` --experimental-loader file:///${path}/.pnp.loader.mjs`
    : ''
  return { NODE_OPTIONS: `--require /${path}/.pnp.cjs${loader}` }
}
