import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { symlinkEntry, type Entry } from '../image/entries.ts'
import type { Layer } from '../image/oci.ts'
import type { Application } from './application.ts'
import { APPLICATION_PATH, WORKSPACE_PATH } from './application.ts'
import { requireNativeModules, requireStableInterface } from './native-modules.ts'
import { nodeDependencies } from './node-dependencies.ts'
import { installedEntries, requireLinksInside, variablesOf } from './installed-entries.ts'
import { NodeInstallation, UnreachableRegistry } from './node-installation.ts'
import { neededPackages, type NodeProject } from './node-project.ts'
import type { ProgramOptions } from './program.ts'
import { planOf, whatIsInstalled, type Plan } from './node-plan.ts'
import { packageTree, sourceTree } from './source-files.ts'
import { buildSources, hashOf, installSources } from './staged-sources.ts'
import { stage } from './staging.ts'
import type { ProgramFiles } from './start-file.ts'

/** Changes when the same sources give other layers. */
const RECIPE = 2

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
 * Returns the layers of a Node.js agent: what its package manager installs from the lockfile, and
 * its sources, with what its build script makes. Both come from the cache if nothing has changed.
 * `language` is the version of Node.js in the image.
 */
export async function nodeLayers(
  project: NodeProject,
  application: Application,
  language: string | undefined,
  options: ProgramOptions,
): Promise<NodeLayers> {
  const plan = await planOf(project, application, options.signal)
  const present = whatIsInstalled(project, plan)
  if (present !== undefined) return await withInstalled(project, application, present, options)
  try {
    return await withStaging(project, application, plan, language, options)
  } catch (error) {
    const isInstalled = existsSync(join(project.agent.folder, 'node_modules'))
    if (!(error instanceof UnreachableRegistry) || !isInstalled) throw error
    const reason =
      `warning: ${project.manager} can't reach the registry; ` +
      'the image gets node_modules as it is here'
    return await withInstalled(project, application, reason, options)
  }
}

async function withInstalled(
  { agent }: NodeProject,
  application: Application,
  reason: string,
  options: ProgramOptions,
): Promise<NodeLayers> {
  const { cache, progress } = options
  if (reason !== '') progress(reason)
  const modules = await nodeDependencies(agent.folder, APPLICATION_PATH)
  await requireNativeModules(modules, options.platform)
  const dependencies = await cache.layer(modules)
  const tree = await filesOf(agent.folder, APPLICATION_PATH, application, options)
  return {
    path: APPLICATION_PATH,
    layers: [dependencies, await cache.layer(tree.entries)],
    files: tree,
    environment: {},
  }
}

async function withStaging(
  project: NodeProject,
  application: Application,
  plan: Plan,
  language: string | undefined,
  options: ProgramOptions,
): Promise<NodeLayers> {
  const { cache, progress, signal, platform } = options
  const { manager, managerVersion, lockfile, agent } = project
  const top = agent.place === '' && plan.installed.length === 1 ? APPLICATION_PATH : WORKSPACE_PATH
  const path = posix.join(top, agent.place)
  const needed = neededPackages(project, { development: true })
  const files = await installSources(project, needed)
  const sources = plan.readsSources ? await buildSources(project, needed, signal) : []
  const staged = [...new Map([...sources, ...files].map((entry) => [entry.path, entry])).values()]
  const recipe = {
    kind: 'node',
    recipe: RECIPE,
    manager,
    managerVersion,
    platform,
    language,
    agent: agent.place,
    sources: await hashOf(staged),
  }
  if (lockfile === undefined)
    progress(`warning: the project has no lockfile; ${manager} chooses the versions`)
  const dependenciesRecipe = { ...recipe, layer: 'dependencies' }
  const applicationRecipe = { ...recipe, layer: 'application' }
  let dependencies = await cache.findRecipe(dependenciesRecipe)
  let built = plan.readsSources ? await cache.findRecipe(applicationRecipe) : undefined
  let builtFiles = await cache.recall<{ paths: string[]; leftOut: [string, string][] }>(
    applicationRecipe,
  )

  const isComplete = dependencies !== undefined && (!plan.readsSources || (built && builtFiles))
  if (!isComplete) {
    const installation = await NodeInstallation.open(project, language, options)
    const entries = staged.map((entry) => ({ ...entry, path: `${top}/${entry.path}` }))
    const place = { cacheDirectory: cache.directory, signal }
    await using staging = await stage({ entries, leftOut: new Map() }, top, place)
    const { folder } = staging
    if (plan.readsSources) await installation.build(folder, needed, plan.built)
    else await installation.install(folder)
    signal?.throwIfAborted()
    dependencies = await cache.layerOfRecipe(dependenciesRecipe, async () => {
      const modules = await installedEntries(folder, project, top)
      requireLinksInside(modules, top)
      await requireNativeModules(modules, platform)
      if (installation.problem !== undefined)
        await requireStableInterface(modules, installation.problem)
      await cache.note(dependenciesRecipe, variablesOf(modules, top))
      return modules
    })
    if (plan.readsSources) {
      const tree = await treeOf(project, plan, application, top, folder, options)
      builtFiles = { paths: tree.entries.map((entry) => entry.path), leftOut: [...tree.leftOut] }
      built = await cache.layerOfRecipe(
        applicationRecipe,
        async () => await Promise.resolve(tree.entries),
      )
      await cache.note(applicationRecipe, builtFiles)
    }
  }
  const environment = (await cache.recall<Record<string, string>>(dependenciesRecipe)) ?? {}
  if (dependencies === undefined) throw new Error('a build has no layer of dependencies')
  if (built !== undefined && builtFiles !== undefined)
    return {
      path,
      layers: [dependencies, built],
      files: {
        entries: builtFiles.paths.map((each) => ({ path: each })),
        leftOut: new Map(builtFiles.leftOut),
      },
      environment,
    }
  const tree = await treeOf(project, plan, application, top, project.root, options)
  return { path, layers: [dependencies, await cache.layer(tree.entries)], files: tree, environment }
}

/** The files of the agent, and of the packages of its workspace that it needs, below `top`. */
async function treeOf(
  { agent }: NodeProject,
  { installed }: Plan,
  application: Application,
  top: string,
  root: string,
  options: ProgramOptions,
): Promise<{ entries: readonly Entry[]; leftOut: ReadonlyMap<string, string> }> {
  const entries = new Map<string, Entry>()
  const leftOut = new Map<string, string>()
  for (const { place, manifest } of installed) {
    const folder = join(root, place)
    const isAgent = place === agent.place
    const started = {
      programs: isAgent ? application.programs : {},
      hasFiles: manifest.files !== undefined,
    }
    const tree = await filesOf(folder, posix.join(top, place), started, options)
    for (const entry of tree.entries) entries.set(entry.path, entry)
    for (const [each, rule] of tree.leftOut)
      leftOut.set(posix.join(posix.relative(agent.place, place), each), rule)
  }
  if (top !== APPLICATION_PATH && agent.place !== '')
    entries.set(APPLICATION_PATH, symlinkEntry(APPLICATION_PATH, posix.join(top, agent.place)))
  return { entries: [...entries.values()], leftOut }
}

async function filesOf(
  folder: string,
  path: string,
  { programs, hasFiles }: Pick<Application, 'programs' | 'hasFiles'>,
  { progress, signal }: ProgramOptions,
): Promise<{ entries: readonly Entry[]; leftOut: ReadonlyMap<string, string> }> {
  const started = Object.values(programs).map(plainPath)
  return hasFiles
    ? await packageTree(folder, path, { progress, signal })
    : await sourceTree(folder, path, started, { progress, signal })
}

/** The path of a program without `./` at its start. */
export function plainPath(file: string): string {
  return posix.normalize(file).replace(/^\/+/, '')
}
