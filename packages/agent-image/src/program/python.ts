import { posix } from 'node:path'
import { openBase } from '../base/base.ts'
import type { WantedVersion } from '../base/public-image.ts'
import { DEFAULT_PATH } from '../image/oci.ts'
import { APPLICATION_PATH } from './application.ts'
import { foreignManagers } from './foreign-managers.ts'
import type { Program, ProgramOptions } from './program.ts'
import { pythonEnvironment } from './python-environment.ts'
import {
  findPackages,
  readEntry,
  readPyProject,
  pythonProblem,
  type PyProject,
} from './python-project.ts'
import { pythonSources, VERSION_FILE, type PythonSourceFiles } from './python-sources.ts'
import { startSources } from './python-start-sources.ts'
import { findStart, type PythonStart } from './python-start.ts'
import { requireStartFile } from './start-file.ts'

/**
 * Builds the layers of the Python agent in a folder: a base with Python, a virtual environment with
 * the packages that its package manager chooses, and the folder itself.
 */
export async function pythonProgram(folder: string, options: ProgramOptions): Promise<Program> {
  const { cache, progress, signal } = options
  const sources = await pythonSources(folder, { progress, signal })
  const pyproject = await readPyProject(sources.find('pyproject.toml'))
  const packages = findPackages(
    (each) => sources.has(each) || (each === 'uv.lock' && sources.workspace?.hasLockfile === true),
    pyproject,
  )
  const foreign = foreignManagers(sources.has)
  if (foreign !== undefined && packages === undefined)
    throw new Error(`${folder} names packages that would be missing: ${foreign}`)
  if (foreign !== undefined) progress(`warning: ${foreign}`)
  const wanted = await wantedPython(sources, pyproject)
  const base = await openBase('python', wanted, cache, options)
  const { version, name } = base
  const unfit = pythonProblem(pyproject, version, name)
  // The packages of requirements.txt may have another Python than the project's own.
  if (unfit !== undefined && packages?.file !== 'requirements.txt') throw new Error(unfit)
  if (unfit !== undefined) progress(`warning: ${unfit}`)
  if (wanted?.from === VERSION_FILE && !`${version}.`.startsWith(`${wanted.text}.`))
    progress(`warning: ${VERSION_FILE} has ${wanted.text}, but the base ${name} has ${version}`)
  signal?.throwIfAborted()
  const seen = await startSources(sources, pyproject)
  // Before the packages are installed, which may take minutes.
  if (options.first !== undefined) findStart(options.first.target, seen, options.first.start)
  const application = await cache.layer(sources.tree.entries)
  const environment =
    packages &&
    (await pythonEnvironment(
      { sources, packages, pyproject, base, sourcesId: application.diffId },
      options,
    ))
  const path = base.environment['PATH'] ?? DEFAULT_PATH
  const { bin } = seen
  const said = new Set<string>()
  return {
    base,
    own: [
      ...(environment?.layers ?? []).map((layer, index) => ({
        name: index === 0 ? ('dependencies' as const) : ('own packages' as const),
        reason: `${packages?.manager ?? ''} installs what ${packages?.file ?? ''} names`,
        layer,
      })),
      { name: 'application', reason: 'no rule leaves it out', layer: application },
    ],
    leftOut: sources.tree.leftOut,
    startOf(target, asked = {}) {
      const start = findStart(target, seen, asked)
      if (asked.command === undefined) requireStart(start)
      else requireScript(start)
      if (!said.has(target))
        progress(`${target} starts ${start.entrypoint.join(' ')}: ${start.reason}`)
      if (start.warning !== undefined && !said.has(target)) progress(`warning: ${start.warning}`)
      said.add(target)
      return {
        entrypoint: start.entrypoint,
        environment: {
          ...base.environment,
          ...(environment && { PATH: `${bin}:${path}`, VIRTUAL_ENV: posix.dirname(bin) }),
          PYTHONUNBUFFERED: '1',
        },
        workingDirectory: `/${APPLICATION_PATH}`,
      }
    },
  }

  /** A command may start a script of the project, too. */
  function requireScript({ entrypoint, reason }: PythonStart): void {
    const problem = environment?.problems[posix.basename(entrypoint[0] ?? '')]
    if (problem !== undefined) throw new Error(`${entrypoint.join(' ')}: ${reason}, but ${problem}`)
  }

  function requireStart({ file, script, entrypoint, reason }: PythonStart): void {
    if (file !== undefined) return requireStartFile(sources.tree, sources.path, file, 'the image')
    const program = script ?? entrypoint[0] ?? ''
    const problem = environment?.problems[program]
    if (problem !== undefined) throw new Error(`${reason}, but ${problem}`)
    if (
      environment?.programs.includes(program) === true ||
      (script === undefined && /^python3?$|\//.test(program))
    )
      return
    throw new Error(
      `${reason}, but no package that is installed has the program ${program}; ` +
        (packages?.file === 'requirements.txt'
          ? script === undefined
            ? `add its package to requirements.txt`
            : 'add a line "-e ." to requirements.txt'
          : script === undefined
            ? 'add its package to the dependencies'
            : 'add a [build-system] to pyproject.toml, so that the project is installed'),
    )
  }
}

/** The version of Python that a project wants: that of .python-version, or else its range. */
async function wantedPython(
  { findShared }: PythonSourceFiles,
  { project, tool }: PyProject,
): Promise<WantedVersion | undefined> {
  const file = findShared(VERSION_FILE)
  const [line = ''] = file?.type === 'file' ? (await readEntry(file)).trim().split(/\s/, 1) : []
  if (/^\d[\d.]*$/.test(line)) return { text: line, from: VERSION_FILE }
  const required = project?.['requires-python']
  if (required !== undefined) return { text: required, from: 'requires-python' }
  const ofPoetry = tool?.poetry?.dependencies?.['python']
  return typeof ofPoetry === 'string' ? { text: ofPoetry, from: 'the python of Poetry' } : undefined
}
