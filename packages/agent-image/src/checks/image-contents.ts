import type { LayerCache } from '../image/layer-cache.ts'
import { formatSize } from '../progress.ts'
import type { OwnLayer } from '../program/program.ts'
import { ruleNumber } from '../program/source-rules.ts'
import { layerFiles, type LayerFile } from './layer-files.ts'

/** What the layers of an image above its base have, and what is left out. */
export interface ImageContents {
  readonly files: readonly ContainedFile[]
  readonly leftOut: readonly LeftOutFile[]
  /** The largest folder first; packages and folders at the top of the project count as one. */
  readonly folders: readonly FolderSize[]
}

/** A file or link of an image. */
export interface ContainedFile {
  /** Its absolute path in the image. */
  readonly path: string
  readonly sizeBytes: number
  readonly layer: OwnLayer['name']
  /** What has put it there. */
  readonly reason: string
}

/** A file or folder that an image doesn't have. */
export interface LeftOutFile {
  /** Its path in the agent's folder. */
  readonly path: string
  /** The number of the rule in the README of this package. */
  readonly rule: number
  readonly reason: string
}

/** The size of what a folder has. */
export interface FolderSize {
  readonly path: string
  readonly sizeBytes: number
}

const LARGE_BYTES = 200e6
const MOST_NAMES = 5
/** Installed packages, in the folders of npm, pnpm and pip. */
const PACKAGE =
  /^.*?(?:node_modules\/(?:\.pnpm\/[^/]+|@[^/]+\/[^/]+|[^/]+)|site-packages\/[^/]+)(?=\/)/

/** Lists the files of an image's own layers. */
export async function imageContents(
  own: readonly OwnLayer[],
  leftOut: ReadonlyMap<string, string>,
  cache: LayerCache,
): Promise<ImageContents> {
  const files: ContainedFile[] = []
  for (const { name, reason, layer } of own)
    for (const { path, type, size } of await layerFiles(layer, cache))
      if (type !== 'directory')
        files.push({ path: `/${path}`, sizeBytes: size, layer: name, reason })
  return {
    files,
    leftOut: [...leftOut]
      .map(([path, reason]) => ({ path, rule: ruleNumber(reason), reason }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    folders: folderSizes(files),
  }
}

/** Warns of an image whose own layers are large; names the folders that make them so. */
export function sizeWarnings(files: readonly LayerFile[]): string[] {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (total <= LARGE_BYTES) return []
  const folders = folderSizes(
    files.map(({ path, size }) => ({ path: `/${path}`, sizeBytes: size })),
  )
  const names = folders
    .slice(0, MOST_NAMES)
    .map(({ path, sizeBytes }) => `${path} (${formatSize(sizeBytes)})`)
  return [
    `warning: the image has ${formatSize(total)} above its base; the largest are ` +
      `${names.join(', ')}; name what a container does not need in .dockerignore, and remove ` +
      'packages that it does not import; slipway build --list shows all files',
  ]
}

function folderSizes(files: readonly FolderSize[]): FolderSize[] {
  const sizes = new Map<string, number>()
  for (const { path, sizeBytes } of files) {
    if (sizeBytes === 0) continue
    const folder = PACKAGE.exec(path)?.[0] ?? path.split('/').slice(0, 3).join('/')
    sizes.set(folder, (sizes.get(folder) ?? 0) + sizeBytes)
  }
  return [...sizes]
    .map(([path, sizeBytes]) => ({ path, sizeBytes }))
    .toSorted((a, b) => b.sizeBytes - a.sizeBytes || (a.path < b.path ? -1 : 1))
}
