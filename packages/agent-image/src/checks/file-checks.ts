import { posix } from 'node:path'
import { firstNames } from '../progress.ts'
import type { StartCommand } from '../program/program.ts'
import type { ImageTree } from './image-tree.ts'
import type { LayerFile } from './layer-files.ts'
import { interpretersOf, placeOf } from './start-program.ts'

const MOST_NAMES = 5
/** Folders whose scripts are on PATH, or are run by those of package.json. */
const PROGRAMS = /^[^.]*\/(\.venv\/bin|node_modules\/\.bin)\/[^/]+$/
/** Managers write such scripts for all programs, and small bases have neither. */
const NEEDS_SHELL = /(^|\/)(ba|da)?sh$/
/** pnpm links all packages of a workspace there, also those that only development needs. */
const OF_WORKSPACE = /(^|\/)node_modules\/\.pnpm\/node_modules\//
/** What only a running container has. */
const OF_THE_CONTAINER = /^\/(dev|proc|sys|run|tmp|var\/run|var\/tmp)(\/|$)/

/** Throws if there is a file that not all users may read. */
export function requireReadable(files: readonly LayerFile[]): void {
  const closed = files.find(({ type, mode }) => {
    const needed = type === 'directory' ? 0o055 : 0o044
    return type !== 'symlink' && (mode & needed) !== needed
  })
  if (closed === undefined) return
  throw new Error(
    `${closed.path} has the mode ${closed.mode.toString(8)}, but agents run as user 1000, or as ` +
      'any user of group 0, and have to read it: chmod a+rX',
  )
}

/** Warns of links that lead to nothing in the image. */
export function linkWarnings(files: readonly LayerFile[], tree: ImageTree): string[] {
  const broken = files.filter(({ path, type, target = '' }) => {
    if (type !== 'symlink' || OF_WORKSPACE.test(path)) return false
    const place = posix.resolve(`/${posix.dirname(path)}`, target)
    return !OF_THE_CONTAINER.test(place) && tree.walk(`/${path}`).missing !== undefined
  })
  return warning(
    'links lead to what the image does not have',
    broken.map(({ path, target }) => `${path} (to ${target ?? ''})`),
  )
}

/** Warns of scripts of packages whose interpreter the image doesn't have. */
export function scriptWarnings(
  files: readonly LayerFile[],
  tree: ImageTree,
  start: StartCommand,
): string[] {
  const failing = files.flatMap(({ path }) => {
    const script = PROGRAMS.test(path) ? tree.resolve(`/${path}`)?.script : undefined
    if (script === undefined) return []
    const interpreter = interpretersOf(script).at(-1) ?? ''
    const isThere = NEEDS_SHELL.test(interpreter) || placeOf(tree, start, interpreter) !== undefined
    return isThere ? [] : [`${path} (${interpreter})`]
  })
  return warning('scripts of packages need an interpreter that the image does not have', failing)
}

function warning(text: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`warning: ${text}: ${firstNames(names, MOST_NAMES)}`]
}
