import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { tmpdir } from 'node:os'
import type { Progress } from '../progress.ts'
import { runProgram } from '../run-program.ts'
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

/** How to find or bring a manager. */
export interface ManagerOptions {
  /** The folder that keeps managers between builds. */
  readonly cacheFolder: string
  readonly environment: NodeJS.ProcessEnv
  readonly progress: Progress
  readonly signal?: AbortSignal | undefined
}

/**
 * Returns the manager of a project: the one that is installed here, if it has the version that the
 * project names or its lockfile needs; else it is brought from npm.
 */
export async function managerProgram(
  project: NodeProject,
  options: ManagerOptions,
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
  const command = [process.execPath, join(root, file)] as const
  return { name: 'yarn', version, folder: undefined, command: [...command] }
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

async function versionHere(
  name: ManagerName,
  { environment, signal }: ManagerOptions,
): Promise<string | undefined> {
  try {
    // In another folder: managers start the version that a project names.
    const output = await runProgram(name, ['--version'], {
      folder: tmpdir(),
      environment: { ...environment, COREPACK_ENABLE_NETWORK: '0' },
      signal,
      missing: 'missing',
    })
    return /\d+\.\d+\.\d+\S*/.exec(output)?.[0]
  } catch {
    signal?.throwIfAborted()
    return undefined
  }
}

/** The package of npm that has a manager. */
function packageOf(name: ManagerName, version: string): string {
  return name === 'yarn' && !version.startsWith('1') ? '@yarnpkg/cli-dist' : name
}

async function bring(
  name: ManagerName,
  version: string,
  here: string | undefined,
  { cacheFolder, environment, progress, signal }: ManagerOptions,
): Promise<ManagerProgram> {
  const source = packageOf(name, version)
  const place = join(cacheFolder, `${name}-${version}`)
  if (!existsSync(place)) {
    const reason = here === undefined ? 'it is not installed here' : `here is ${here}`
    progress(`bringing ${name} ${version} from npm, because ${reason}`)
    await mkdir(cacheFolder, { recursive: true })
    const draft = await mkdtemp(join(cacheFolder, '.draft-'))
    try {
      const args = [
        'install',
        '--no-audit',
        '--no-fund',
        '--no-update-notifier',
        `--prefix=${draft}`,
      ]
      await runProgram('npm', [...args, `${source}@${version}`], {
        folder: draft,
        environment,
        signal,
        missing: `can't run npm, which would bring ${name}; install ${name} ${version}, or npm`,
      })
      await rename(draft, place).catch((error: unknown) => {
        // Another build was faster.
        if (!existsSync(place)) throw error
      })
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  }
  const modules = join(place, 'node_modules')
  const manifest = JSON.parse(await readFile(join(modules, source, 'package.json'), 'utf8')) as {
    version: string
  }
  const program = join(modules, '.bin', name)
  return { name, version: manifest.version, folder: dirname(program), command: [program] }
}
