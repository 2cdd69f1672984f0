import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Progress } from '../progress.ts'
import { readManifest, type Manifest } from './manifest.ts'
import {
  dockerRule,
  folderRules,
  HISTORY_RULE,
  NPM_RULE,
  parentsOf,
  SECRET_RULE,
} from './source-rules.ts'
import { hasNameOfSecret } from './secret-files.ts'
import { leftOutLines, readSourceTree, type SourceTree } from './source-tree.ts'

/** How to choose the sources of an agent. */
export interface SourceOptions {
  readonly progress: Progress
  readonly signal?: AbortSignal | undefined
  /** Whether a build has made a file, by its path in the folder. Default: none. */
  readonly isMade?: ((path: string) => boolean) | undefined
}

/**
 * Returns the files of an agent's folder as entries below `path`. `started` are the files that
 * containers start.
 */
export async function sourceTree(
  folder: string,
  path: string,
  started: readonly string[],
  { progress, signal, isMade }: SourceOptions,
): Promise<SourceTree> {
  const rules = await folderRules(folder, started, signal, isMade)
  const tree = await readSourceTree(folder, path, [''], rules)
  for (const line of leftOutLines(tree)) progress(line)
  return tree
}

/**
 * Returns the files of a package below `path`: those that `npm pack` would pack, without those that
 * .dockerignore names. Throws if `files` names a place outside of the package.
 */
export async function packageTree(
  folder: string,
  path: string,
  { progress, isMade }: SourceOptions,
): Promise<SourceTree> {
  const manifest = await readManifest(folder)
  const { files } = manifest
  if (!files) throw new Error(`${join(folder, 'package.json')} needs "files" to be in an image`)
  const leaving = files.find((pattern) => /(^|[/{,])\.\.([/},]|$)|\0/.test(pattern))
  if (leaving !== undefined)
    throw new Error(
      `${JSON.stringify(leaving)} in "files" of ${join(folder, 'package.json')} leaves the folder`,
    )
  // Loading it takes longer than most builds without changes.
  const { default: packlist } = await import('npm-packlist')
  const packed = await packlist({
    path: folder,
    package: withPlainPaths(manifest),
    isProjectRoot: true,
    edgesOut: new Map(),
  })
  // npm leaves links out, but a package that lists one can't do without it.
  const places = new Set(packed)
  for (const name of files) if (await isThroughLink(folder, name)) places.add(name)
  const tree = await readSourceTree(folder, path, [...places], await dockerRule(folder, isMade))
  for (const line of leftOutLines(tree)) progress(line)
  const unpacked = await notPacked(folder, path, tree)
  return { ...tree, leftOut: new Map([...unpacked, ...tree.leftOut]) }
}

function ruleOf(name: string): string {
  if (name === '.git') return HISTORY_RULE
  return hasNameOfSecret(name) ? SECRET_RULE : NPM_RULE
}

/** What npm leaves out, each folder that has nothing in the image as one. */
async function notPacked(
  folder: string,
  path: string,
  { entries, leftOut }: SourceTree,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const known = new Set(entries.map((entry) => entry.path))
  const [parents, kept] = [new Set(leftOut.keys().flatMap(parentsOf)), new Set(leftOut.keys())]
  const read = async (place: string): Promise<void> => {
    for (const child of await readdir(join(folder, place), { withFileTypes: true })) {
      const name = place === '' ? child.name : `${place}/${child.name}`
      if (kept.has(name)) continue
      if (!known.has(`${path}/${name}`) && !parents.has(name)) found.set(name, ruleOf(name))
      else if (child.isDirectory()) await read(name)
    }
  }
  await read('')
  return found
}

/** The library expects a manifest as npm normalizes it. */
function withPlainPaths(manifest: Manifest): object {
  const { bin, main, bundleDependencies: _bundled, ...others } = manifest
  const programs = typeof bin === 'string' ? { agent: bin } : (bin as Record<string, string>)
  const plain = (file: string): string => file.replace(/^\.\//, '')
  return {
    ...others,
    ...(main !== undefined && { main: plain(main) }),
    bin: Object.fromEntries(
      Object.entries(programs ?? {}).map(([name, file]) => [name, plain(file)]),
    ),
  }
}

async function isThroughLink(folder: string, name: string): Promise<boolean> {
  const root = await realpath(folder)
  return await realpath(join(root, name)).then(
    (place) => place !== join(root, name.replace(/\/+$/, '')),
    () => false,
  )
}
