import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Application } from './application.ts'
import { neededPackages, type NodeProject, type WorkspacePackage } from './node-project.ts'
import { hasInstallScripts, needsBuild } from './project-build.ts'
import { folderRules } from './source-rules.ts'
import { readSourceTree } from './source-tree.ts'

/** What a build does with a project. */
export interface Plan {
  /** The packages of the workspace that production needs, the agent last. */
  readonly installed: readonly WorkspacePackage[]
  /** The packages whose script `build` runs, in this order. */
  readonly built: readonly WorkspacePackage[]
  /** Whether what the manager installs depends on all sources. */
  readonly readsSources: boolean
}

/** Decides which packages a build needs, and what has to run. */
export async function planOf(
  project: NodeProject,
  { programs }: Application,
  signal: AbortSignal | undefined,
): Promise<Plan> {
  const installed = neededPackages(project, { development: false })
  const built: WorkspacePackage[] = []
  for (const each of neededPackages(project, { development: true })) {
    if (each.manifest.scripts?.['build'] === undefined) continue
    const tree = await readSourceTree(
      each.folder,
      'x',
      [''],
      await folderRules(each.folder, [], signal),
    )
    const sources = new Set(tree.entries.map(({ path }) => path.slice(2)))
    const started = each === project.agent ? Object.values(programs) : []
    if (needsBuild(each, started, sources)) built.push(each)
  }
  const all = [...installed, ...project.packages.values().filter(({ place }) => place === '')]
  return {
    installed,
    built,
    readsSources: built.length > 0 || all.some(({ manifest }) => hasInstallScripts(manifest)),
  }
}

/** Returns why the image gets what is installed here; undefined if a manager has to install. */
export function whatIsInstalled(
  project: NodeProject,
  { installed, readsSources }: Plan,
): string | undefined {
  if (readsSources || installed.length > 1) return undefined
  const { dependencies, optionalDependencies, peerDependencies } = project.agent.manifest
  const needed = { ...dependencies, ...optionalDependencies, ...peerDependencies }
  if (Object.keys(needed).length === 0) return ''
  if (project.lockfile !== undefined || !existsSync(join(project.agent.folder, 'node_modules')))
    return undefined
  return (
    'warning: the project has no lockfile, so the image gets node_modules as it is here; ' +
    `commit the lockfile of ${project.manager}`
  )
}
