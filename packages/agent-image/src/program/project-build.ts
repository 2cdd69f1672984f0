import { posix } from 'node:path'
import type { Manifest } from './manifest.ts'
import type { WorkspacePackage } from './node-project.ts'
import { isRequirable } from './start-file.ts'

/** Scripts that managers run when they install a project. */
export const INSTALL_SCRIPTS: readonly string[] = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
]

/** Whether managers run scripts of a package when they install the project. */
export function hasInstallScripts({ scripts = {} }: Manifest): boolean {
  return INSTALL_SCRIPTS.some((name) => scripts[name] !== undefined)
}

/**
 * Whether the script `build` of a package has to run: it has one, and a file that its package.json
 * names isn't among its sources, or it names none.
 */
export function needsBuild(
  { manifest }: WorkspacePackage,
  programs: readonly string[],
  sources: ReadonlySet<string>,
): boolean {
  if (manifest.scripts?.['build'] === undefined) return false
  const { main, exports, bin } = manifest
  const named = [...programs, ...textsOf(main), ...textsOf(exports), ...textsOf(bin)]
    .filter((name) => !name.includes('*'))
    .map((name) => posix.normalize(name).replace(/^\/+/, ''))
  return named.length === 0 || named.some((name) => !isRequirable(sources, name))
}

/** All texts in a value of a package.json, however deep. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsOf)
}
