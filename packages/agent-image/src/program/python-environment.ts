import { join, posix } from 'node:path'
import type { Base } from '../base/base-options.ts'
import { hashOf } from '../image/entries-hash.ts'
import type { Layer } from '../image/oci.ts'
import { madeFiles } from './made-files.ts'
import { outsideProblem, requireInside } from './outside-sources.ts'
import type { ProgramOptions } from './program.ts'
import { BROUGHT, ENVIRONMENT, installPackages } from './python-install.ts'
import { scriptsOf, type PyProject, type PythonPackages } from './python-project.ts'
import type { PythonSourceFiles } from './python-sources.ts'
import { scriptProblems } from './script-problems.ts'
import { stage } from './staging.ts'
import { Uv } from './uv.ts'
import { environmentFiles } from './virtual-environment.ts'

/** Increase it if the files of an environment change, so that cached layers are not reused. */
const RECIPE = 7

/** A virtual environment for an image. */
export interface PythonEnvironment {
  readonly layers: readonly Layer[]
  /** The names of programs in its `bin`. */
  readonly programs: readonly string[]
  /** Why scripts of the project would fail. */
  readonly problems: Readonly<Record<string, string>>
}

/** What an environment is made from. */
export interface EnvironmentInput {
  readonly sources: PythonSourceFiles
  readonly packages: PythonPackages
  readonly pyproject: PyProject
  readonly base: Base
  /** Identifies the content of all sources. */
  readonly sourcesId: string
}

/** What the cache keeps of an environment. */
interface Known {
  readonly identity: readonly string[]
  readonly programs: readonly string[]
  readonly problems: Readonly<Record<string, string>>
  /** Whether packages have their sources in the project. */
  readonly hasOwn: boolean
}

/** Files that decide which packages are installed, wherever they are in the sources. */
const DECIDES =
  /(^|\/)([^/]*\.(txt|in|toml|lock|whl|tar\.gz|zip|cfg)|setup\.py|[^/]*(require|constrain)[^/]*)$/i

/** Returns the environment of a project, from the cache if nothing that decides it has changed. */
export async function pythonEnvironment(
  input: EnvironmentInput,
  options: ProgramOptions,
): Promise<PythonEnvironment> {
  const { packages, base, sources, sourcesId } = input
  const { cache, progress, signal, onOutput } = options
  const { version } = base
  if (version === undefined)
    throw new Error('the base has no PYTHON_VERSION, so no packages can be installed for it')
  const uv = await Uv.open({
    toolsFolder: join(cache.directory, 'tools'),
    progress,
    signal,
    onOutput,
  })
  progress(lineOf(packages, sources, version))
  if (packages.file === 'pyproject.toml')
    progress(
      'warning: there is no lockfile, so the versions are those that are newest now; ' +
        `${packages.manager === 'pip' ? 'uv' : packages.manager} lock writes one`,
    )
  const interpreter =
    base.environment['PYTHON_VERSION'] === undefined ? '/usr/bin/python3' : '/usr/local/bin/python3'
  const decides = {
    kind: 'python',
    recipe: RECIPE,
    uv: uv.version,
    manager: BROUGHT[packages.manager],
    packages,
    interpreter,
    version,
    platform: options.platform,
    top: sources.top,
    agent: sources.path,
    files: await hashOf(sources.staged.entries.filter(({ path }) => DECIDES.test(path))),
  }
  const all = { ...decides, sourcesId }
  const known = (await cache.recall<Known>(all)) ?? (await cache.recall<Known>(decides))
  if (known !== undefined) {
    const layers = [
      await cache.findRecipe(known.identity),
      ...(known.hasOwn ? [await cache.findRecipe(all)] : []),
    ]
    const complete = layers.filter((layer) => layer !== undefined)
    if (complete.length === layers.length) return { ...known, layers: complete }
  }

  progress(`installing with uv ${uv.version}`)
  await using staging = await stage(sources.staged, sources.top, {
    cacheDirectory: cache.directory,
    signal,
  })
  const { folder } = staging
  const { platform } = options
  const member = sources.workspace?.agent.pyproject.project?.name
  const install = { ...input, folder, member, version, platform, progress, signal }
  await installPackages(uv, install).catch(async (cause: unknown) => {
    if (!(cause instanceof Error)) throw cause
    const said = cause.message.replaceAll(folder, sources.root)
    const outside = await outsideProblem(sources)
    throw new Error(outside === undefined ? said : `${outside}\n${said}`, { cause })
  })
  await requireInside(join(folder, ENVIRONMENT), folder, sources.root)
  const files = await environmentFiles({
    staging: folder,
    environment: ENVIRONMENT,
    path: sources.top,
    interpreter,
    version,
  })
  const own = [...files.own, ...(files.own.length > 0 ? await madeFiles(folder, sources) : [])]
  signal?.throwIfAborted()
  const identity = [String(RECIPE), ...files.identity]
  const layers = [await cache.layerOfRecipe(identity, async () => files.packages)]
  const hasOwn = own.length > 0
  if (hasOwn) layers.push(await cache.layerOfRecipe(all, async () => own))
  const bin = posix.join(sources.top, ENVIRONMENT, 'bin')
  const programs = [...files.packages, ...files.own].flatMap(({ path }) =>
    posix.dirname(path) === bin ? posix.basename(path) : [],
  )
  const installed = scriptsOf(input.pyproject)
    .entries()
    .filter(([name]) => programs.includes(name))
  const problems = await scriptProblems(join(folder, ENVIRONMENT, 'bin/python'), installed, signal)
  const record: Known = { identity, programs, problems, hasOwn }
  await cache.note(hasOwn ? all : decides, record)
  return { ...record, layers }
}

function lineOf(
  { manager, file, unused }: PythonPackages,
  { workspace }: PythonSourceFiles,
  version: string,
): string {
  const by = manager === 'pip' || manager === 'uv' ? '' : ` of ${manager}`
  const not = unused.length > 0 ? `, not those of ${unused.join(' and ')}` : ''
  const of = workspace ? ` of the workspace ${workspace.root}` : ''
  return `packages: those of ${file}${by}${of}${not}, for Python ${version}`
}
