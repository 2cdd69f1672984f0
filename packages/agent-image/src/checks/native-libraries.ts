import { posix } from 'node:path'
import type { Platform } from '../image/oci.ts'
import type { ImageTree } from './image-tree.ts'
import type { LayerFile } from './layer-files.ts'

/** A native module or program, and the libraries that the image doesn't have. */
export interface LackingFile {
  /** Its path in the image. */
  readonly path: string
  readonly missing: readonly string[]
}

const MULTIARCH: Readonly<Record<Platform['architecture'], string>> = {
  amd64: 'x86_64-linux-gnu',
  arm64: 'aarch64-linux-gnu',
}
/** Where loaders look at last: glibc's and musl's folders. */
const FOLDERS = ['/lib', '/usr/lib', '/lib64', '/usr/lib64', '/usr/local/lib']
/** The driver of a graphics processor, which the node adds to the container. */
const OF_THE_NODE = /^lib(cuda|nvcuvid|nvoptix|nvidia-[\w-]+)\.so(\.|$)/
const MUSL = /^(libc\.musl-\w+\.so\.1|ld-musl-\w+\.so\.1)$/

/**
 * Finds the files of an image that need libraries which neither the base nor what is installed has,
 * as the loader looks for them. A library counts as found wherever the image has it, because
 * packages load their own before they are needed. Files for other platforms are not loaded, so they
 * need nothing.
 */
export function findLacking(
  files: readonly LayerFile[],
  tree: ImageTree,
  platform: Platform,
  environment: Readonly<Record<string, string>>,
): LackingFile[] {
  const shared = [
    ...(environment['LD_LIBRARY_PATH'] ?? '').split(':'),
    ...foldersOfSettings(tree),
    ...FOLDERS.flatMap((folder) => [`${folder}/${MULTIARCH[platform.architecture]}`, folder]),
  ].filter((folder) => folder !== '')
  const lacking: LackingFile[] = []
  const fitting = new Set<string>()
  for (const { path, elf } of files) {
    if (elf === undefined || elf.architecture !== platform.architecture) continue
    const folder = `/${posix.dirname(path)}`
    const own = elf.paths.map((each) => each.replaceAll(/\$(ORIGIN|\{ORIGIN\})/g, folder))
    const missing = elf.needed.filter(
      (name) =>
        !OF_THE_NODE.test(name) &&
        !tree.hasName(name) &&
        ![...own, ...shared].some((each) => tree.resolve(posix.join(each, name)) !== undefined),
    )
    if (missing.length === 0) fitting.add(variantOf(path))
    else lacking.push({ path, missing })
  }
  // Packages have one file for each C library, and load the one that fits.
  return lacking.filter(
    ({ path, missing }) =>
      !fitting.has(variantOf(path)) && !missing.some((each) => MUSL.test(each)),
  )
}

/** The folders that the settings of glibc's loader name. */
function foldersOfSettings(tree: ImageTree): string[] {
  return tree
    .texts(/^etc\/ld\.so\.conf(\.d\/.+)?$/)
    .flatMap((text) => text.split('\n'))
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line.startsWith('/'))
}

/** The same for `prebuilds/linux-x64/a.glibc.node` and `prebuilds/linux-x64/a.musl.node`. */
function variantOf(path: string): string {
  return path.replace(/[.-](musl|glibc|gnu)(?=[^/]*$)/, '')
}
