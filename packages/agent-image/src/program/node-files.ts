import { join, posix } from 'node:path'
import { symlinkEntry, type Entry } from '../image/entries.ts'
import type { Layer } from '../image/oci.ts'
import { APPLICATION_PATH, type Application } from './application.ts'
import { PLUG_AND_PLAY } from './installed-entries.ts'
import { treeWithoutLogins } from './manager-logins.ts'
import type { Plan } from './node-plan.ts'
import type { NodeProject } from './node-project.ts'
import type { ProgramOptions } from './program.ts'
import { packageTree, sourceTree, type SourceOptions } from './source-files.ts'
import type { SourceTree } from './source-tree.ts'
import type { ProgramFiles } from './start-file.ts'

/** The layers of a Node.js agent above its base. */
export interface NodeLayers {
  readonly layers: readonly Layer[]
  /** The agent's folder in the image. */
  readonly path: string
  readonly files: ProgramFiles
  /** Variables with which Node.js finds what is installed. */
  readonly environment: Readonly<Record<string, string>>
}

/**
 * The files of the agent, and of the packages of its workspace that it needs, below `top`. `isMade`
 * knows what a build has made in `root`.
 */
export async function treeOf(
  { agent }: NodeProject,
  { installed: packages }: Plan,
  application: Application,
  top: string,
  root: string,
  options: ProgramOptions,
  isMade: (path: string) => boolean = () => false,
): Promise<SourceTree> {
  const entries = new Map<string, Entry>()
  const leftOut = new Map<string, string>()
  const installed = new Set(PLUG_AND_PLAY.map((each) => posix.join(top, each)))
  for (const { place, manifest } of packages) {
    const folder = join(root, place)
    const isAgent = place === agent.place
    const started = {
      programs: isAgent ? application.programs : {},
      hasFiles: manifest.files !== undefined,
    }
    const tree = await filesOf(folder, posix.join(top, place), started, {
      ...options,
      isMade: (path) => isMade(posix.join(place, path)),
    })
    // What a manager has installed, perhaps for development, is not of the sources.
    for (const entry of tree.entries) if (!installed.has(entry.path)) entries.set(entry.path, entry)
    for (const [each, rule] of tree.leftOut)
      leftOut.set(posix.join(posix.relative(agent.place, place), each), rule)
  }
  if (top !== APPLICATION_PATH && agent.place !== '')
    entries.set(APPLICATION_PATH, symlinkEntry(APPLICATION_PATH, posix.join(top, agent.place)))
  return { entries: [...entries.values()], leftOut }
}

/** The files of a package below `path`, by its rules. */
export async function filesOf(
  folder: string,
  path: string,
  { programs, hasFiles }: Pick<Application, 'programs' | 'hasFiles'>,
  options: SourceOptions,
): Promise<SourceTree> {
  const started = Object.values(programs).map(plainPath)
  const tree = await (hasFiles
    ? packageTree(folder, path, options)
    : sourceTree(folder, path, started, options))
  return await treeWithoutLogins(tree, path, options.progress)
}

/** The path of a program without `./` at its start. */
export function plainPath(file: string): string {
  return posix.normalize(file).replace(/^\/+/, '')
}
