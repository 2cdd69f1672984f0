import type { Platform } from '../image/oci.ts'
import { isHostPlatform } from '../base/platform.ts'
import type { ManagerName, NodeProject } from './node-project.ts'

/** How a manager installs a project once. */
export interface InstallOptions {
  readonly project: NodeProject
  /** The version of the manager that runs. */
  readonly version: string
  /** Leaves out what only development needs. */
  readonly production: boolean
  readonly platform: Platform
}

/** A command of a manager, in a folder relative to the root of the project. */
export interface ManagerCommand {
  readonly args: readonly string[]
  readonly place: string
  readonly environment?: Readonly<Record<string, string>>
}

const CPUS: Readonly<Record<Platform['architecture'], string>> = { amd64: 'x64', arm64: 'arm64' }

/** Returns the command that installs what the agent of a project needs, from its lockfile. */
export function installCommand(options: InstallOptions): ManagerCommand {
  const { project, platform } = options
  const foreign = isHostPlatform(platform) ? [] : foreignFlags(options)
  return COMMANDS[project.manager](options, foreign)
}

const COMMANDS: Readonly<
  Record<ManagerName, (options: InstallOptions, foreign: readonly string[]) => ManagerCommand>
> = {
  npm: ({ project: { lockfile, agent }, production }, foreign) => ({
    args: [
      ...(lockfile === undefined ? ['install'] : ['ci', '--prefer-offline']),
      ...(production ? ['--omit=dev'] : ['--include=dev']),
      ...(agent.place === '' ? [] : [`--workspace=${agent.place}`]),
      '--no-audit',
      '--no-fund',
      '--no-update-notifier',
      ...foreign,
    ],
    place: '',
    // Without a network, npm would wait for more than a minute.
    environment: {
      npm_config_fetch_retry_mintimeout: '1000',
      npm_config_fetch_retry_maxtimeout: '4000',
    },
  }),
  pnpm: ({ project: { lockfile, agent }, production }, foreign) => ({
    args: [
      ...(agent.place === '' ? [] : [`--filter={./${agent.place}}...`]),
      'install',
      ...(lockfile === undefined
        ? ['--no-frozen-lockfile']
        : ['--frozen-lockfile', '--prefer-offline']),
      ...(production ? ['--prod'] : []),
      '--reporter=append-only',
      // What a script changes must not change pnpm's store by a hard link, and what it has made
      // for another project must not be in this one.
      '--config.package-import-method=clone-or-copy',
      '--config.side-effects-cache=false',
      // The shims of programs would name the folder of the build.
      '--config.extend-node-path=false',
      '--config.fetch-retry-mintimeout=1000',
      '--config.fetch-retry-maxtimeout=4000',
      ...foreign,
    ],
    place: '',
    environment: {
      npm_config_manage_package_manager_versions: 'false',
      pnpm_config_pm_on_fail: 'ignore',
    },
  }),
  yarn: ({ project, version, production }, foreign) => {
    const { lockfile, agent } = project
    if (version.startsWith('1.'))
      return {
        args: [
          'install',
          '--non-interactive',
          '--prefer-offline',
          ...(lockfile === undefined ? ['--no-lockfile'] : ['--frozen-lockfile']),
          production ? '--production=true' : '--production=false',
          ...foreign,
        ],
        place: '',
      }
    const isFocused = production && leavesOutDevelopment(project, version)
    const isImmutable = lockfile !== undefined && !production
    return {
      args: isFocused
        ? ['workspaces', 'focus', '--production']
        : ['install', ...(isImmutable ? ['--immutable'] : [])],
      place: isFocused ? agent.place : '',
      environment: {
        YARN_ENABLE_GLOBAL_CACHE: 'false',
        YARN_ENABLE_TELEMETRY: '0',
        ...(!isImmutable && { YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' }),
      },
    }
  },
  bun: ({ project: { lockfile, agent }, production }, foreign) => ({
    args: [
      'install',
      ...(lockfile === undefined ? [] : ['--frozen-lockfile']),
      ...(production ? ['--production'] : []),
      ...(agent.place === '' ? [] : [`--filter=./${agent.place}`]),
      // As for pnpm.
      '--backend=copyfile',
      ...foreign,
    ],
    place: '',
  }),
}

/** Returns the command that runs a script of a package. */
export function scriptCommand(
  { manager }: NodeProject,
  script: string,
  place: string,
): ManagerCommand {
  const args = ['run', script]
  if (manager !== 'pnpm') return { args, place }
  // It would install again, because it notes where it has installed.
  const environment = {
    npm_config_verify_deps_before_run: 'false',
    pnpm_config_verify_deps_before_run: 'false',
  }
  return { args, place, environment }
}

/** Whether a manager can leave out what only development needs. Yarn 2 and 3 can't. */
export function leavesOutDevelopment({ manager }: NodeProject, version: string): boolean {
  return manager !== 'yarn' || !/^[23]\./.test(version)
}

/** The flags that make a manager install for the platform of the image. */
function foreignFlags({ project: { manager }, version, platform }: InstallOptions): string[] {
  const cpu = CPUS[platform.architecture]
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (manager === 'npm' || (manager === 'pnpm' && (major > 10 || (major === 10 && minor >= 14))))
    return ['--os=linux', `--cpu=${cpu}`, '--libc=glibc']
  if (manager === 'bun') return ['--os=linux', `--cpu=${cpu}`]
  const supported = `supportedArchitectures: {os: [linux], cpu: [${cpu}], libc: [glibc]}`
  const files: Readonly<Record<string, string>> = {
    pnpm: `write "${supported}" to pnpm-workspace.yaml, or use pnpm 10.14 or newer`,
    yarn: `write "${supported}" to .yarnrc.yml, with Yarn 2 or newer`,
  }
  throw new Error(
    `${manager} ${version} can't install for linux/${platform.architecture} by itself; ` +
      `${files[manager] ?? ''}, or build on such a machine, or from a Dockerfile`,
  )
}
