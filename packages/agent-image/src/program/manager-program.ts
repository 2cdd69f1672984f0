import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bringFromNpm, versionHere, type BringOptions } from './npm-programs.ts'
import type { ManagerName, NodeProject } from './node-project.ts'

/** A package manager that can be run. */
export interface ManagerProgram {
  readonly name: ManagerName
  readonly version: string
  /** The folder with the program, if it was brought: the first of `PATH`. */
  readonly folder: string | undefined
  /** The program, or its script for Node.js. */
  readonly command: readonly [program: string, ...args: string[]]
}

/**
 * Returns the manager of a project: the one that is installed here, if it has the version that the
 * project names or its lockfile needs; else it is brought from npm.
 */
export async function managerProgram(
  project: NodeProject,
  options: BringOptions,
): Promise<ManagerProgram> {
  const own = await ownYarn(project)
  if (own !== undefined) return own
  const { manager: name, managerVersion } = project
  const here = await versionHere(name, options)
  const range = managerVersion ?? (await rangeOfLockfile(project))
  if (here !== undefined && (range === undefined || fits(here, range)))
    return { name, version: here, folder: undefined, command: [name] }
  return await bring(name, range ?? 'latest', here, options)
}

/** Projects with Yarn may have it in a file that their settings name. */
async function ownYarn({ manager, root }: NodeProject): Promise<ManagerProgram | undefined> {
  if (manager !== 'yarn') return undefined
  const settings = await readFile(join(root, '.yarnrc.yml'), 'utf8').catch(() => '')
  const file = /^yarnPath:\s*["']?([^"'\n]+?)["']?\s*$/m.exec(settings)?.[1]
  if (file === undefined || !existsSync(join(root, file))) return undefined
  const version = /yarn-(\d+\.\d+\.\d+[\w.-]*?)\.c?js$/.exec(file)?.[1] ?? '4'
  return { name: 'yarn', version, folder: undefined, command: ['node', join(root, file)] }
}

/** The versions of a manager that can read the lockfile; undefined if all can. */
async function rangeOfLockfile({
  manager,
  root,
  lockfile,
}: NodeProject): Promise<string | undefined> {
  if (lockfile === undefined || (manager !== 'pnpm' && manager !== 'yarn')) return undefined
  const start = (await readFile(join(root, lockfile), 'utf8')).slice(0, 400)
  if (manager === 'yarn') return start.includes('__metadata:') ? '4' : '1'
  const version = /^lockfileVersion:\s*['"]?(\d+)/m.exec(start)?.[1]
  return { '5': '7', '6': '8' }[version ?? '']
}

function fits(version: string, range: string): boolean {
  return version === range || version.startsWith(`${range}.`)
}

/** The package of npm that has a manager. */
function packageOf(name: ManagerName, version: string): string {
  return name === 'yarn' && !version.startsWith('1') ? '@yarnpkg/cli-dist' : name
}

async function bring(
  name: ManagerName,
  version: string,
  here: string | undefined,
  options: BringOptions,
): Promise<ManagerProgram> {
  const reason = here === undefined ? 'it is not installed here' : `here is ${here}`
  const source = packageOf(name, version)
  const brought = await bringFromNpm({ name, source, version, reason }, options)
  const program = join(brought.folder, name)
  return { name, version: brought.version, folder: brought.folder, command: [program] }
}
