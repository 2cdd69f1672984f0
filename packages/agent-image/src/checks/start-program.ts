import { posix } from 'node:path'
import { DEFAULT_PATH } from '../image/oci.ts'
import type { StartCommand } from '../program/program.ts'
import type { ImageTree } from './image-tree.ts'
import type { LayerFile } from './layer-files.ts'

/** Scripts may be run by scripts, but no kernel follows more. */
const MOST_SCRIPTS = 4
/** Package managers with a command `run`, which installing doesn't bring. */
const MANAGERS: ReadonlySet<string> = new Set(['uv', 'poetry', 'pdm', 'hatch', 'pipenv', 'rye'])
const OTHERS_READ = 0o004
const OTHERS_RUN = 0o001

/** A program of an image, and what runs it: the interpreter of a script, and its own. */
export type ProgramChain = readonly LayerFile[]

/**
 * Finds the program of a start command as a container runtime does, and the interpreters that run
 * it. Throws if one is missing, or if a user other than root can't run it.
 */
export function requireProgram(tree: ImageTree, start: StartCommand): ProgramChain {
  const [program = ''] = start.entrypoint
  const chain: LayerFile[] = []
  let place = placeOf(tree, start, program)
  if (place === undefined)
    throw new Error(
      `the image starts ${program}, but neither its base nor the project has it ` +
        `(${program.includes('/') ? 'the file is missing' : `PATH is ${pathOf(start)}`}); ` +
        (MANAGERS.has(program)
          ? `leave out ${program} run: the programs of packages are on PATH`
          : 'correct what names it, or build with --base of an image that has it'),
    )
  while (place !== undefined && chain.length < MOST_SCRIPTS) {
    const file = requireAccess(tree, place)
    chain.push(file)
    const { script, elf } = file
    const needed = script === undefined ? [elf?.interpreter ?? ''] : interpretersOf(script)
    const from: string = place
    const missing = needed.find((each) => each !== '' && placeOf(tree, start, each) === undefined)
    if (missing !== undefined)
      throw new Error(
        `the image starts ${from}, which needs ${script ?? missing}, but neither its base nor ` +
          `the project has ${missing}; ` +
          `${script === undefined ? '' : 'correct its first line, or '}` +
          'build with --base of an image that has it',
      )
    if (script === undefined) return chain
    place = placeOf(tree, start, needed.at(-1) ?? '')
  }
  return chain
}

/** The programs that the first line of a script needs: an interpreter, also with `env`. */
export function interpretersOf(script: string): readonly string[] {
  const [program = '', ...args] = script.split(/\s+/)
  if (posix.basename(program) !== 'env') return [program]
  const named = args.find((each) => !each.startsWith('-') && !each.includes('='))
  return named === undefined ? [program] : [program, named]
}

/** The absolute path of a program, as it is found on the image's PATH. */
export function placeOf(tree: ImageTree, start: StartCommand, program: string): string | undefined {
  const { workingDirectory = '/' } = start
  const places = program.includes('/')
    ? [posix.resolve(workingDirectory, program)]
    : pathOf(start)
        .split(':')
        .map((folder) => posix.join(folder, program))
  return places.find((each) => tree.resolve(each)?.type === 'file')
}

function pathOf({ environment }: StartCommand): string {
  return environment?.['PATH'] ?? DEFAULT_PATH
}

/** Returns the program at a path. Throws if only root may run it, or look into its folders. */
function requireAccess(tree: ImageTree, place: string): LayerFile {
  const { files } = tree.walk(place)
  const closed = files.find(({ type, mode }) => type === 'directory' && (mode & OTHERS_RUN) === 0)
  const program = files.at(-1)
  const needed = OTHERS_RUN | (program?.script === undefined ? 0 : OTHERS_READ)
  if (program === undefined || closed !== undefined || (program.mode & needed) !== needed)
    throw new Error(
      `the image starts ${place}, but only root may use /${(closed ?? program)?.path ?? ''}, and ` +
        'agents run as another user (1000, or one of group 0); change its mode: chmod o+rx',
    )
  return program
}
