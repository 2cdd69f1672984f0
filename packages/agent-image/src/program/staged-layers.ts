import { createHash } from 'node:crypto'
import { join, posix } from 'node:path'
import type { Entry } from '../image/entries.ts'
import { hashOf } from '../image/entries-hash.ts'
import type { Layer } from '../image/oci.ts'
import { WORKSPACE_PATH, APPLICATION_PATH, type Application } from './application.ts'
import { GeneratedFolders } from './generated-folders.ts'
import {
  installedEntries,
  installedPlaces,
  requireLinksInside,
  variablesOf,
} from './installed-entries.ts'
import { KeptInstallation } from './kept-installation.ts'
import { requireNativeModules, requireStableInterface } from './native-modules.ts'
import { treeOf, type NodeLayers } from './node-files.ts'
import { NodeInstallation } from './node-installation.ts'
import type { Plan } from './node-plan.ts'
import { neededPackages, type NodeProject } from './node-project.ts'
import type { ProgramOptions } from './program.ts'
import { hasInstallScripts } from './project-build.ts'
import { buildSources, committedArchives, installSources } from './staged-sources.ts'
import { copyBelow, stage } from './staging.ts'

/** Changes when the same sources give other layers. */
const RECIPE = 7

/** What the cache keeps of a build. */
interface Built {
  readonly paths: readonly string[]
  readonly leftOut: readonly (readonly [path: string, rule: string])[]
  /** The recipe of the layer with the dependencies. */
  readonly dependencies: unknown
}

/**
 * Returns the layers of a Node.js agent whose manager installs, and whose scripts build, in a
 * staging folder. `language` is the version of Node.js in the image.
 */
export async function stagedLayers(
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
  const said: string[] = []
  const quiet = { ...options, progress: (line: string) => void said.push(line) }
  // Git takes a while to list files, so what managers read is hashed meanwhile.
  const [{ installs, hash: sourcesHash }, tree] = await Promise.all([
    hashedInstalls(),
    plan.readsSources ? undefined : treeOf(project, plan, application, top, project.root, quiet),
  ])
  const recipe = {
    kind: 'node',
    recipe: RECIPE,
    manager,
    managerVersion,
    platform,
    language,
    agent: agent.place,
    sources: sourcesHash,
  }
  if (lockfile === undefined)
    progress(`warning: the project has no lockfile; ${manager} chooses the versions`)

  if (tree !== undefined) {
    const dependencies =
      (await cache.findRecipe(recipe)) ??
      (await withStaged(installs, async (folder, installation) => {
        await installation.install(folder)
        return await dependenciesOf(folder, installation, recipe)
      }))
    for (const line of said) progress(line)
    return await layersOf(dependencies, recipe, await cache.layer(tree.entries), tree)
  }

  const all = new Map([...(await buildSources(project, needed, signal)), ...installs].map(byPath))
  const sources = [...all.values()]
  const whole = { ...recipe, sources: await hashOf(sources) }
  const applicationRecipe = { ...whole, layer: 'application' }
  const known = await cache.recall<Built>(applicationRecipe)
  if (known !== undefined) {
    const layers = [
      await cache.findRecipe(known.dependencies),
      await cache.findRecipe(applicationRecipe),
    ]
    const [dependencies, built] = layers
    if (dependencies !== undefined && built !== undefined) {
      const entries = known.paths.map((each) => ({ path: each }))
      const files = { entries, leftOut: new Map(known.leftOut) }
      return await layersOf(dependencies, known.dependencies, built, files)
    }
  }
  return await withStaged(sources, async (folder, installation) => {
    const { version, problem } = installation
    const development = JSON.stringify({ ...recipe, version, problem })
    const hash = createHash('sha256').update(development).digest('hex')
    const place = isOfLockfile(project) ? join(cache.directory, 'installed', hash) : undefined
    const kept = new KeptInstallation(place, installedPlaces(project))
    await installation.build(folder, plan.built, kept)
    await using generated = await GeneratedFolders.moveFrom(folder)
    // Another one is made for production: managers leave packages behind when they remove some.
    await kept.keep(folder)
    signal?.throwIfAborted()
    const dependenciesRecipe =
      generated.isEmpty && isOfLockfile(project) ? recipe : { ...whole, layer: 'dependencies' }
    let dependencies = await cache.findRecipe(dependenciesRecipe)
    if (dependencies === undefined) {
      await copyBelow(below(await committedArchives(project)), top, folder, signal)
      await installation.installBuilt(folder, needed, generated)
      dependencies = await dependenciesOf(folder, installation, dependenciesRecipe)
    }
    const isMade = (path: string): boolean => !all.has(path)
    const own = await treeOf(project, plan, application, top, folder, options, isMade)
    const built = await cache.layerOfRecipe(
      applicationRecipe,
      async () => await Promise.resolve(own.entries),
    )
    await cache.note(applicationRecipe, {
      paths: own.entries.map((entry) => entry.path),
      leftOut: [...own.leftOut],
      dependencies: dependenciesRecipe,
    } satisfies Built)
    return await layersOf(dependencies, dependenciesRecipe, built, own)
  })

  async function hashedInstalls(): Promise<{ installs: Entry[]; hash: string }> {
    const installs = await installSources(project, needed)
    return { installs, hash: await hashOf(installs) }
  }

  /** Works in a folder with these files. */
  async function withStaged<Result>(
    entries: readonly Entry[],
    work: (folder: string, installation: NodeInstallation) => Promise<Result>,
  ): Promise<Result> {
    const installation = await NodeInstallation.open(project, language, options)
    const all = below([...entries, ...(await committedArchives(project))])
    await using staging = await stage({ entries: all, leftOut: new Map() }, top, {
      cacheDirectory: cache.directory,
      signal,
    })
    return await work(staging.folder, installation)
  }

  function below(entries: readonly Entry[]): Entry[] {
    return entries.map((entry) => ({ ...entry, path: `${top}/${entry.path}` }))
  }

  async function dependenciesOf(
    folder: string,
    { problem }: NodeInstallation,
    layerRecipe: unknown,
  ): Promise<Layer> {
    signal?.throwIfAborted()
    return await cache.layerOfRecipe(layerRecipe, async () => {
      const modules = await installedEntries(folder, project, top)
      requireLinksInside(modules, top)
      await requireNativeModules(modules, platform)
      if (problem !== undefined) await requireStableInterface(modules, problem)
      await cache.note(layerRecipe, variablesOf(modules, top))
      return modules
    })
  }

  async function layersOf(
    dependencies: Layer,
    layerRecipe: unknown,
    last: Layer,
    files: NodeLayers['files'],
  ): Promise<NodeLayers> {
    const environment = (await cache.recall<Record<string, string>>(layerRecipe)) ?? {}
    return { path, layers: [dependencies, last], files, environment }
  }
}

/**
 * Whether what is installed depends only on the lockfile and what else managers read, and not on
 * sources: on files that install scripts read, or programs of packages that managers link.
 */
function isOfLockfile({ lockfile, packages, agent }: NodeProject): boolean {
  const others = packages.values().filter((each) => each !== agent)
  return (
    lockfile !== undefined &&
    !packages.values().some(({ manifest }) => hasInstallScripts(manifest)) &&
    !others.some(({ manifest }) => manifest.bin !== undefined)
  )
}

function byPath(entry: Entry): [string, Entry] {
  return [entry.path, entry]
}
