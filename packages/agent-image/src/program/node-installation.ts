import { existsSync } from 'node:fs'
import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from '../run-program.ts'
import { buildEnvironment } from './build-environment.ts'
import { PLUG_AND_PLAY } from './installed-entries.ts'
import { managerProgram, type ManagerProgram } from './manager-program.ts'
import { nodeOfImage, type BuildNode } from './node-of-image.ts'
import type { NodeProject, WorkspacePackage } from './node-project.ts'
import { installCommand, leavesOutDevelopment, type ManagerCommand } from './package-managers.ts'
import type { ProgramOptions } from './program.ts'
import {
  restore,
  scriptsOfProduction,
  withoutDevelopment,
  withoutInstallScripts,
} from './staged-manifests.ts'
import { settingsOf } from './staged-sources.ts'

const MODULES = 'node_modules'
/** What a manager has made in node_modules itself; other names with a dot are of generators. */
const OF_MANAGERS: ReadonlySet<string> = new Set([
  '.bin',
  '.cache',
  '.modules.yaml',
  '.package-lock.json',
  '.pnpm',
  '.pnpm-workspace-state-v1.json',
  '.yarn-integrity',
  '.yarn-state.yml',
])
const LAST_LINES = 30
/** What managers write if they can't reach a registry. */
const UNREACHABLE = new RegExp(
  [
    String.raw`\bE(NOTFOUND|AI_AGAIN|CONNREFUSED|NETUNREACH|HOSTUNREACH|TIMEDOUT|NOTCACHED)\b`,
    String.raw`ERR_PNPM_(META_FETCH_FAIL|NO_OFFLINE_\w+)`,
    'network|dns error|error sending request',
  ].join('|'),
  'i',
)

/** A failure that another try with a network may not have. */
export class UnreachableRegistry extends Error {}

/** Installs and builds a project in a staging folder with its own manager. */
export class NodeInstallation {
  readonly #project: NodeProject
  readonly #program: ManagerProgram
  readonly #environment: NodeJS.ProcessEnv
  readonly #options: ProgramOptions
  /** Why native code that is installed may not fit the image. */
  readonly problem: string | undefined

  private constructor(
    project: NodeProject,
    program: ManagerProgram,
    node: BuildNode,
    options: ProgramOptions,
  ) {
    this.#project = project
    this.#program = program
    this.#options = options
    this.#environment = environmentOf(project, options, [program.folder, node.folder])
    this.problem = node.problem
  }

  /** Finds or brings a project's manager, and the Node.js of the image: `version`, if known. */
  static async open(
    project: NodeProject,
    version: string | undefined,
    options: ProgramOptions,
  ): Promise<NodeInstallation> {
    const { cache, progress, signal } = options
    const environment = environmentOf(project, options)
    const cacheFolder = join(cache.directory, 'managers')
    const bring = { cacheFolder, environment, progress, signal }
    const program = await explained(async () => await managerProgram(project, bring))
    return new NodeInstallation(project, program, await nodeOfImage(version, bring), options)
  }

  /** Installs what production needs in a copy of the project that has nothing installed. */
  async install(staged: string): Promise<void> {
    await this.#install(staged, true)
  }

  /**
   * Runs the build scripts of packages with what development needs, and installs again what
   * production needs. What generators have written to node_modules stays, and the packages' own
   * install scripts run again if production has their programs, as `patch-package`.
   */
  async build(
    staged: string,
    installed: readonly WorkspacePackage[],
    built: readonly WorkspacePackage[],
  ): Promise<void> {
    await this.#install(staged, false)
    for (const { place, manifest } of built) {
      this.#options.progress(`running the build script of ${manifest.name ?? (place || '.')}`)
      await this.#run(staged, { args: ['run', 'build'], place })
    }
    const generated = `${staged}.generated`
    try {
      await moveGenerated(staged, generated)
      for (const { place } of this.#project.packages.values())
        await rm(join(staged, place, MODULES), { recursive: true, force: true })
      for (const place of PLUG_AND_PLAY)
        await rm(join(staged, place), { recursive: true, force: true })
      const scripts = await withoutInstallScripts(staged, installed)
      await this.#install(staged, true)
      await restore(scripts)
      if (existsSync(generated))
        await cp(generated, staged, { recursive: true, verbatimSymlinks: true })
      for (const { place, name } of scriptsOfProduction(staged, installed))
        await this.#run(staged, { args: ['run', name], place })
    } finally {
      await rm(generated, { recursive: true, force: true })
    }
  }

  async #install(staged: string, production: boolean): Promise<void> {
    const { progress, platform } = this.#options
    const { name, version } = this.#program
    const project = this.#project
    const what = production ? 'what production needs' : 'what the build needs'
    progress(`installing ${what} with ${name} ${version}`)
    const leavesOut = !production || leavesOutDevelopment(project, version)
    const manifests = leavesOut
      ? new Map<string, string>()
      : await withoutDevelopment(staged, project)
    const command = installCommand({ project, version, production, platform })
    await this.#run(staged, command).catch(async (error: unknown) => {
      // What npm remembers of a package may be older than a lockfile without addresses.
      if (!(error instanceof Error) || !error.message.includes('ETARGET')) throw error
      const args = command.args.filter((each) => each !== '--prefer-offline')
      await this.#run(staged, { ...command, args })
    })
    await restore(manifests)
  }

  async #run(staged: string, { args, place, environment }: ManagerCommand): Promise<void> {
    const { signal, onOutput } = this.#options
    const { command, name } = this.#program
    const [program, ...first] = command
    const last: string[] = []
    const onLine = (line: string): void => {
      last.push(line)
      if (last.length > LAST_LINES) last.shift()
      onOutput?.(line)
    }
    await explained(async () => {
      try {
        await runProgram(program, [...first, ...args], {
          folder: join(staged, place),
          environment: { ...this.#environment, ...environment },
          signal,
          onLine,
          withStdout: true,
          missing: `can't run ${name}`,
        })
      } catch (error) {
        signal?.throwIfAborted()
        const plain = args.filter((each) => !each.startsWith('--')).join(' ')
        throw new Error(`${name} ${plain} failed:\n${last.join('\n')}`, { cause: error })
      }
    })
  }
}

function environmentOf(
  project: NodeProject,
  { environment = process.env }: ProgramOptions,
  folders: readonly (string | undefined)[] = [],
): NodeJS.ProcessEnv {
  const first = folders.filter((folder) => folder !== undefined)
  return buildEnvironment(environment, settingsOf(project), first)
}

/** Marks errors of programs that could not reach a registry. */
async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const isNetwork = error instanceof Error && UNREACHABLE.test(error.message)
    throw isNetwork ? new UnreachableRegistry(error.message, { cause: error }) : error
  }
}

/** Moves what generators such as Prisma have written next to packages, by its place. */
async function moveGenerated(staged: string, target: string): Promise<void> {
  const folders = await readdir(staged, { recursive: true, withFileTypes: true })
  for (const each of folders) {
    const isGenerated =
      each.isDirectory() &&
      each.name.startsWith('.') &&
      each.parentPath.endsWith(`/${MODULES}`) &&
      !OF_MANAGERS.has(each.name)
    if (!isGenerated) continue
    const place = join(each.parentPath, each.name).slice(staged.length + 1)
    await cp(join(staged, place), join(target, place), { recursive: true, verbatimSymlinks: true })
  }
}
