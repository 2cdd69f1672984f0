import { satisfies } from '@renovatebot/pep440'
import { parse, TomlError } from 'smol-toml'
import type { Entry } from '../image/entries.ts'
import { readContent } from '../image/host-file.ts'

/** What installs the packages of a Python project. */
export type PythonManager = 'uv' | 'poetry' | 'pdm' | 'pip'

/** Which packages a Python project needs, and who knows them. */
export interface PythonPackages {
  readonly manager: PythonManager
  /** The file with the packages, for example `uv.lock`. */
  readonly file: string
  /** Other files that name packages, and are not used. */
  readonly unused: readonly string[]
}

/** What images need of a pyproject.toml. */
export interface PyProject {
  readonly project?: {
    readonly name?: string
    readonly 'requires-python'?: string
    readonly scripts?: Readonly<Record<string, string>>
    readonly dependencies?: readonly string[]
    readonly 'optional-dependencies'?: Readonly<Record<string, readonly string[]>>
    readonly dynamic?: readonly string[]
  }
  readonly tool?: {
    readonly uv?: {
      readonly workspace?: {
        readonly members?: readonly string[]
        readonly exclude?: readonly string[]
      }
    }
    readonly poetry?: {
      readonly name?: string
      readonly 'package-mode'?: boolean
      readonly scripts?: Readonly<Record<string, unknown>>
      readonly dependencies?: Readonly<Record<string, unknown>>
    }
    readonly pdm?: { readonly distribution?: boolean }
  }
  readonly 'build-system'?: object
}

const LOCKFILES = { 'uv.lock': 'uv', 'poetry.lock': 'poetry', 'pdm.lock': 'pdm' } as const

/** The names of lockfiles of Python's package managers. */
export const PYTHON_LOCKFILES = Object.keys(LOCKFILES) as readonly (keyof typeof LOCKFILES)[]

/** Files in a project's folder that its package manager reads. */
export const MANAGER_FILES = [
  ...PYTHON_LOCKFILES,
  'requirements.txt',
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'uv.toml',
  'poetry.toml',
]

/**
 * Chooses the manager by the files of a project: requirements.txt, a lockfile, pyproject.toml or
 * setup.py, in this order. Throws if there are two lockfiles. Undefined if there is no such file.
 */
export function findPackages(
  has: (name: string) => boolean,
  pyproject: PyProject,
): PythonPackages | undefined {
  const locks = PYTHON_LOCKFILES.filter(has)
  if (has('requirements.txt')) return { manager: 'pip', file: 'requirements.txt', unused: locks }
  if (locks.length > 1)
    throw new Error(
      `the folder has ${locks.join(' and ')}, of different package managers; delete those that ` +
        'are out of date',
    )
  const [lock] = locks
  if (lock !== undefined) return { manager: LOCKFILES[lock], file: lock, unused: [] }
  const { project, tool, 'build-system': build } = pyproject
  // Others only have the settings of tools.
  if ((project ?? tool?.poetry ?? build) !== undefined) {
    const named = tool?.poetry ? 'poetry' : tool?.pdm ? 'pdm' : undefined
    const manager = project === undefined ? (named ?? 'pip') : named === 'pdm' ? 'pdm' : 'uv'
    return { manager, file: 'pyproject.toml', unused: [] }
  }
  return has('setup.py') ? { manager: 'pip', file: 'setup.py', unused: [] } : undefined
}

/** Whether a project's own package is installed, so that its modules and scripts are found. */
export function isPackage({ tool, 'build-system': build }: PyProject): boolean {
  if (tool?.poetry) return tool.poetry['package-mode'] !== false
  return build !== undefined && tool?.pdm?.distribution !== false
}

/** The scripts of a project: names, and `module:function`. */
export function scriptsOf({ project, tool }: PyProject): ReadonlyMap<string, string> {
  const entries = Object.entries({ ...tool?.poetry?.scripts, ...project?.scripts })
  return new Map(entries.filter((each): each is [string, string] => typeof each[1] === 'string'))
}

/** Says why the Python of a base is not one that the project runs with. */
export function pythonProblem(
  { project }: PyProject,
  version: string | undefined,
  base: string,
): string | undefined {
  const required = project?.['requires-python']
  if (required === undefined || version === undefined || satisfies(version, required)) return
  return (
    `pyproject.toml has requires-python = ${JSON.stringify(required)}, but the base ${base} has ` +
    `Python ${version}; build with --base of an image with such a Python, for example ` +
    'docker.io/library/python:3.13-slim, or change requires-python'
  )
}

/**
 * Reads a project's pyproject.toml among its sources; an empty one if there is none. `name` is for
 * errors.
 */
export async function readPyProject(
  entry: Entry | undefined,
  name = 'pyproject.toml',
): Promise<PyProject> {
  if (entry?.type !== 'file') return {}
  try {
    return parse(await readEntry(entry)) as PyProject
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // The lines that the parser quotes may have the login of a package index.
    const [problem] = error.message.split('\n', 1)
    throw new Error(`${name} is not valid: ${problem} (line ${error.line})`)
  }
}

/** Reads a file among the sources as text. */
export async function readEntry(entry: Entry & { readonly type: 'file' }): Promise<string> {
  if (Buffer.isBuffer(entry.content)) return entry.content.toString()
  return (await readContent(entry.content)).toString().replace(/^\uFEFF/, '')
}
