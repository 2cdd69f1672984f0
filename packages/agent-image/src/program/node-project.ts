import { existsSync } from 'node:fs'
import { glob, readFile, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { parse } from 'yaml'
import { readManifest, type Manifest } from './manifest.ts'

/** The package managers that can install a Node.js project. */
export type ManagerName = 'npm' | 'pnpm' | 'yarn' | 'bun'

/** The lockfiles of each manager, the one that it prefers first. */
export const LOCKFILES: Readonly<Record<ManagerName, readonly string[]>> = {
  npm: ['npm-shrinkwrap.json', 'package-lock.json'],
  pnpm: ['pnpm-lock.yaml'],
  yarn: ['yarn.lock'],
  bun: ['bun.lock', 'bun.lockb'],
}
const MANAGERS = Object.keys(LOCKFILES) as ManagerName[]

/** A package of a workspace. */
export interface WorkspacePackage {
  /** The folder relative to the root, with `/`; empty for the root. */
  readonly place: string
  readonly folder: string
  readonly manifest: Manifest
}

/** A Node.js project: an agent's package, and the workspace that it is in. */
export interface NodeProject {
  /** The folder with the lockfile: the agent's, or that of the workspace that lists it. */
  readonly root: string
  readonly agent: WorkspacePackage
  /** All packages of the workspace, with the root and the agent, by place. */
  readonly packages: ReadonlyMap<string, WorkspacePackage>
  readonly manager: ManagerName
  /** The manager's version as `packageManager` has it. */
  readonly managerVersion: string | undefined
  /** The lockfile's name; undefined if the project has none. */
  readonly lockfile: string | undefined
}

/**
 * Reads the project of the package in a folder. A workspace above counts if it lists the folder.
 * Throws if the manager is ambiguous.
 */
export async function readNodeProject(directory: string): Promise<NodeProject> {
  const folder = await realpath(directory)
  const { root, members } = await rootOf(folder)
  const packages = new Map<string, WorkspacePackage>()
  for (const each of new Set([root, ...members, folder])) {
    if (!existsSync(join(each, 'package.json'))) continue
    const place = relative(root, each).replaceAll(sep, '/')
    packages.set(place, { place, folder: each, manifest: await readManifest(each) })
  }
  const agent = packages.get(relative(root, folder).replaceAll(sep, '/'))
  if (agent === undefined) throw new Error(`${folder} has no package.json`)
  const chosen = chooseManager(root, packages.get('')?.manifest ?? agent.manifest)
  return { root, agent, packages, ...chosen }
}

/**
 * Returns the packages of the workspace that a package needs, itself last, those that others need
 * before them. `development` also follows what only development needs.
 */
export function neededPackages(
  { packages, agent }: NodeProject,
  { development }: { development: boolean },
): WorkspacePackage[] {
  const byName = new Map([...packages.values()].map((each) => [each.manifest.name, each]))
  const found = new Set<WorkspacePackage>()
  const begun = new Set<WorkspacePackage>()
  const visit = (each: WorkspacePackage): void => {
    if (begun.has(each)) return
    begun.add(each)
    const { dependencies, optionalDependencies, peerDependencies, devDependencies } = each.manifest
    const names = Object.keys({
      ...dependencies,
      ...optionalDependencies,
      ...peerDependencies,
      ...(development && devDependencies),
    })
    for (const name of names) {
      const needed = byName.get(name)
      if (needed !== undefined) visit(needed)
    }
    found.add(each)
  }
  visit(agent)
  return [...found]
}

async function rootOf(folder: string): Promise<{ root: string; members: readonly string[] }> {
  const own = await membersOf(folder)
  const isRoot = own !== undefined || lockfilesIn(folder).length > 0
  if (isRoot) return { root: folder, members: own ?? [] }
  for (let above = dirname(folder); above !== dirname(above); above = dirname(above)) {
    const members = await membersOf(above)
    if (members?.includes(folder)) return { root: above, members }
  }
  return { root: folder, members: [] }
}

/** The folders of a workspace's packages; undefined if a folder isn't its root. */
async function membersOf(folder: string): Promise<string[] | undefined> {
  const patterns = await patternsOf(folder)
  if (patterns === undefined) return undefined
  const found = new Set<string>()
  for (const pattern of patterns) {
    const plain = pattern.replace(/^!?(\.?\/)*/, '').replace(/\/+$/, '')
    const options = { cwd: folder, exclude: (name: string) => basename(name) === 'node_modules' }
    for await (const file of glob(`${plain}/package.json`, options)) {
      const place = await realpath(join(folder, dirname(file)))
      if (pattern.startsWith('!')) found.delete(place)
      else found.add(place)
    }
  }
  return [...found]
}

async function patternsOf(folder: string): Promise<readonly string[] | undefined> {
  const text = await readFile(join(folder, 'pnpm-workspace.yaml'), 'utf8').catch(() => undefined)
  if (text !== undefined)
    return (parse(text) as { packages?: readonly string[] } | null)?.packages ?? []
  if (!existsSync(join(folder, 'package.json'))) return undefined
  const { workspaces } = await readManifest(folder)
  return workspaces !== undefined && 'packages' in workspaces ? workspaces.packages : workspaces
}

function lockfilesIn(folder: string): ManagerName[] {
  return MANAGERS.filter((name) => lockfileOf(folder, name) !== undefined)
}

function lockfileOf(folder: string, manager: ManagerName): string | undefined {
  return LOCKFILES[manager].find((name) => existsSync(join(folder, name)))
}

function chooseManager(
  root: string,
  { packageManager, devEngines }: Manifest,
): Pick<NodeProject, 'manager' | 'managerVersion' | 'lockfile'> {
  const pinned = /^(npm|pnpm|yarn|bun)@(\d+\.\d+\.\d+[\w.-]*)/.exec(packageManager ?? '')
  const engine = devEngines?.packageManager?.name
  const named = (pinned?.[1] ?? MANAGERS.find((name) => name === engine)) as ManagerName | undefined
  const found = lockfilesIn(root)
  if (named === undefined && found.length > 1) {
    const names = found.map((name) => lockfileOf(root, name)).join(' and ')
    throw new Error(
      `${root} has ${names}; delete those that aren't used, or name the manager in ` +
        `${join(root, 'package.json')}: "packageManager": "${found[0] ?? 'npm'}@<version>"`,
    )
  }
  const manager =
    named ?? found[0] ?? (existsSync(join(root, 'pnpm-workspace.yaml')) ? 'pnpm' : 'npm')
  return { manager, managerVersion: pinned?.[2], lockfile: lockfileOf(root, manager) }
}
