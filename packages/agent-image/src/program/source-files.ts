import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import packlist from 'npm-packlist'
import { formatSize, type Progress } from '../progress.ts'
import { readManifest, type Manifest } from './manifest.ts'
import { dockerRule, folderRules } from './source-rules.ts'
import { leftOutLines, readSourceTree, type SourceTree } from './source-tree.ts'

const LARGE_BYTES = 200e6

/** How to choose the sources of an agent. */
export interface SourceOptions {
  readonly progress: Progress
  readonly signal?: AbortSignal | undefined
}

/**
 * Returns the files of an agent's folder as entries below `path`. `started` are the files that
 * containers start.
 */
export async function sourceTree(
  folder: string,
  path: string,
  started: readonly string[],
  { progress, signal }: SourceOptions,
): Promise<SourceTree> {
  const rules = await folderRules(folder, started, signal)
  const tree = await readSourceTree(folder, path, [''], rules)
  for (const line of leftOutLines(tree)) progress(line)
  warnOfSize(tree, path, progress)
  return tree
}

/**
 * Returns the files of a package below `path`: those that `npm pack` would pack, without those that
 * .dockerignore names. Throws if `files` names a place outside of the package.
 */
export async function packageTree(
  folder: string,
  path: string,
  { progress }: SourceOptions,
): Promise<SourceTree> {
  const manifest = await readManifest(folder)
  const { files } = manifest
  if (!files) throw new Error(`${join(folder, 'package.json')} needs "files" to be in an image`)
  const leaving = files.find((pattern) => /(^|[/{,])\.\.([/},]|$)|\0/.test(pattern))
  if (leaving !== undefined)
    throw new Error(
      `${JSON.stringify(leaving)} in "files" of ${join(folder, 'package.json')} leaves the folder`,
    )
  const packed = await packlist({
    path: folder,
    package: withPlainPaths(manifest),
    isProjectRoot: true,
    edgesOut: new Map(),
  })
  // npm leaves links out, but a package that lists one can't do without it.
  const places = new Set(packed)
  for (const name of files) if (await isThroughLink(folder, name)) places.add(name)
  const tree = await readSourceTree(folder, path, [...places], await dockerRule(folder))
  for (const line of leftOutLines(tree)) progress(line)
  warnOfSize(tree, path, progress)
  return tree
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

function warnOfSize({ entries }: SourceTree, path: string, progress: Progress): void {
  const sizes = new Map<string, number>()
  for (const entry of entries) {
    if (entry.type !== 'file' || Buffer.isBuffer(entry.content)) continue
    const top = entry.path.slice(path.length + 1).split('/', 1)[0] ?? ''
    sizes.set(top, (sizes.get(top) ?? 0) + entry.content.sizeBytes)
  }
  const total = sizes.values().reduce((sum, size) => sum + size, 0)
  if (total <= LARGE_BYTES) return
  const largest = [...sizes].toSorted(([, a], [, b]) => b - a).slice(0, 5)
  const names = largest.map(([name, size]) => `${name} (${formatSize(size)})`).join(', ')
  progress(
    `warning: the sources have ${formatSize(total)}; the largest are ${names}; name what a ` +
      'container does not need in .dockerignore',
  )
}
