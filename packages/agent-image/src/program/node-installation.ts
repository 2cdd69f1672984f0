import { join } from 'node:path'
import { runProgram } from '../run-program.ts'
import { buildEnvironment } from './build-environment.ts'
import type { GeneratedFolders } from './generated-folders.ts'
import type { KeptInstallation } from './kept-installation.ts'
import { managerProgram, type ManagerProgram } from './manager-program.ts'
import { nodeOfImage, type BuildNode } from './node-of-image.ts'
import type { NodeProject, WorkspacePackage } from './node-project.ts'
import {
  installCommand,
  leavesOutDevelopment,
  scriptCommand,
  type ManagerCommand,
} from './package-managers.ts'
import type { ProgramOptions } from './program.ts'
import {
  restore,
  scriptsOfProduction,
  withoutDevelopment,
  withoutInstallScripts,
} from './staged-manifests.ts'
import { settingsOf } from './staged-sources.ts'

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
    const [program, node] = await Promise.all([
      explained(async () => await managerProgram(project, bring)),
      nodeOfImage(version, bring),
    ])
    return new NodeInstallation(project, program, node, options)
  }

  /** The version of the manager that runs. */
  get version(): string {
    return this.#program.version
  }

  /**
   * Runs the build scripts of packages in a copy of the project, with what development needs. An
   * earlier build may have kept that.
   */
  async build(
    staged: string,
    built: readonly WorkspacePackage[],
    kept: KeptInstallation,
  ): Promise<void> {
    if (!(await kept.take(staged)))
      await kept.fill(staged, async () => await this.#install(staged, false))
    for (const { place, manifest } of built) {
      this.#options.progress(`running the build script of ${manifest.name ?? (place || '.')}`)
      await this.#run(staged, scriptCommand(this.#project, 'build', place))
    }
  }

  /** Installs what production needs in a copy of the project that has nothing installed. */
  async install(staged: string): Promise<void> {
    await this.#install(staged, true)
  }

  /**
   * Does so after a build. What generators have written to node_modules is there again, and the
   * packages' own install scripts run again if production has their programs, as `patch-package`.
   */
  async installBuilt(
    staged: string,
    needed: readonly WorkspacePackage[],
    generated: GeneratedFolders,
  ): Promise<void> {
    const scripts = await withoutInstallScripts(staged, needed)
    await this.#install(staged, true)
    await restore(scripts)
    await generated.copyTo(staged)
    for (const { place, name } of scriptsOfProduction(staged, needed))
      await this.#run(staged, scriptCommand(this.#project, name, place))
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
