import { existsSync } from 'node:fs'
import { glob, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { hostFileEntry } from '../image/entries.ts'
import { PYTHON_LOCKFILES, readPyProject, type PyProject } from './python-project.ts'

/** A project of a uv workspace. */
export interface PythonMember {
  /** The folder relative to the root, with `/`; empty for the root. */
  readonly place: string
  readonly folder: string
  readonly pyproject: PyProject
}

/** The uv workspace that an agent is in. */
export interface PythonWorkspace {
  readonly root: string
  readonly hasLockfile: boolean
  readonly agent: PythonMember
  /** All projects of the workspace, the root and the agent among them. */
  readonly members: readonly PythonMember[]
}

/**
 * Returns the uv workspace above an agent's folder that lists it. Undefined if there is none, or if
 * the folder itself says which packages are installed.
 */
export async function findPythonWorkspace(directory: string): Promise<PythonWorkspace | undefined> {
  const folder = await realpath(directory)
  const decides = [...PYTHON_LOCKFILES, 'requirements.txt']
  if (decides.some((name) => existsSync(join(folder, name)))) return undefined
  const { project, tool } = await pyprojectIn(folder)
  if (project === undefined || tool?.uv?.workspace !== undefined) return undefined
  for (let root = dirname(folder); root !== dirname(root); root = dirname(root)) {
    const { workspace } = (await pyprojectIn(root)).tool?.uv ?? {}
    if (workspace === undefined) continue
    const listed = await listedFolders(root, workspace.members ?? [])
    for (const each of await listedFolders(root, workspace.exclude ?? [])) listed.delete(each)
    // As uv, which looks no further than the next workspace.
    if (!listed.has(folder)) return undefined
    const members = []
    for (const each of new Set([root, ...listed])) {
      const place = relative(root, each).replaceAll(sep, '/')
      members.push({ place, folder: each, pyproject: await pyprojectIn(each) })
    }
    const agent = members.find((each) => each.folder === folder)
    return agent && { root, hasLockfile: existsSync(join(root, 'uv.lock')), agent, members }
  }
  return undefined
}

/** Returns the members that an agent's environment may have: itself, and what it depends on. */
export function neededMembers({ agent, members }: PythonWorkspace): PythonMember[] {
  const byName = new Map(
    members.map((each) => [normalized(each.pyproject.project?.name ?? ''), each]),
  )
  const needed = new Set<PythonMember>([agent])
  // A set also visits what is added meanwhile.
  for (const { pyproject } of needed) {
    const { dependencies = [], 'optional-dependencies': extras = {} } = pyproject.project ?? {}
    for (const requirement of [...dependencies, ...Object.values(extras).flat()]) {
      const name = /^\s*([\w.-]+)/.exec(requirement)?.[1] ?? ''
      const member = byName.get(normalized(name))
      if (member !== undefined) needed.add(member)
    }
  }
  return [...needed]
}

function normalized(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-')
}

async function pyprojectIn(folder: string): Promise<PyProject> {
  const file = join(folder, 'pyproject.toml')
  if (!existsSync(file)) return {}
  return await readPyProject(await hostFileEntry('pyproject.toml', file), file)
}

async function listedFolders(root: string, patterns: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  const exclude = (name: string): boolean => ['.venv', 'node_modules'].includes(basename(name))
  for (const pattern of patterns) {
    const plain = pattern.replace(/^(\.?\/)+/, '').replace(/\/+$/, '')
    for await (const file of glob(`${plain}/pyproject.toml`, { cwd: root, exclude }))
      found.add(await realpath(join(root, dirname(file))))
  }
  return found
}
