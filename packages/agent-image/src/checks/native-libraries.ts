import { posix } from 'node:path'
import type { Platform } from '../image/oci.ts'
import type { ImageTree } from './image-tree.ts'
import type { LayerFile } from './layer-files.ts'

/** A native module or program, and the libraries that the image doesn't have. */
export interface LackingFile {
  /** Its path in the image. */
  readonly path: string
  /** Also what the libraries that it needs lack. */
  readonly missing: readonly string[]
  /** Whether the file itself names a missing library. */
  readonly isDirect: boolean
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
  const direct = new Map<string, readonly string[]>()
  const needs = new Map<string, readonly string[]>()
  for (const { path, elf } of files) {
    if (elf === undefined || elf.architecture !== platform.architecture) continue
    const folder = `/${posix.dirname(path)}`
    const own = elf.paths.map((each) => each.replaceAll(/\$(ORIGIN|\{ORIGIN\})/g, folder))
    const places = elf.needed.map((name) => ({
      name,
      file: [...own, ...shared]
        .map((each) => tree.resolve(posix.join(each, name))?.path)
        .find((each) => each !== undefined),
    }))
    const missing = places.filter(
      ({ name, file }) => file === undefined && !OF_THE_NODE.test(name) && !tree.hasName(name),
    )
    direct.set(
      path,
      missing.map(({ name }) => name),
    )
    needs.set(
      path,
      places.flatMap(({ file }) => file ?? []),
    )
  }
  const lacking = [...direct.keys()].map((path) => ({
    path,
    missing: [...closureOf(path, needs)].flatMap((each) => direct.get(each) ?? []),
    isDirect: direct.get(path)?.length !== 0,
  }))
  // Packages have one file for each C library, and load the one that fits.
  const fitting = new Set(
    lacking.filter(({ missing }) => missing.length === 0).map(({ path }) => variantOf(path)),
  )
  return lacking
    .filter(({ path, missing }) => missing.length > 0 && !fitting.has(variantOf(path)))
    .filter(({ missing }) => !missing.some((each) => MUSL.test(each)))
    .map((each) => ({ ...each, missing: [...new Set(each.missing)] }))
}

/** A file and all that it needs, directly or not. */
function closureOf(
  path: string,
  needs: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const found = new Set([path])
  for (const each of found) for (const needed of needs.get(each) ?? []) found.add(needed)
  return found
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
