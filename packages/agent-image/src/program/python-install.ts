import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isHostPlatform } from '../base/platform.ts'
import type { Platform } from '../image/oci.ts'
import { requirementFiles, withoutEditableRepositories } from './requirement-files.ts'
import { installSettings, type SettingsInput } from './python-settings.ts'
import type { Progress } from '../progress.ts'
import { isPackage, type PyProject, type PythonManager } from './python-project.ts'
import type { Uv } from './uv.ts'

/** The folder of the virtual environment in a project. */
export const ENVIRONMENT = '.venv'

/** The managers that uv brings, in the same version on each machine. PDM fails with hishel 2. */
export const BROUGHT = {
  poetry: ['--from', 'poetry==2.5.1', '--with', 'poetry-plugin-export==1.10.1', 'poetry'],
  pdm: ['--from', 'pdm==2.29.4', '--with', 'hishel<2', 'pdm'],
  uv: [],
  pip: [],
} as const satisfies Record<PythonManager, readonly string[]>
const EXPORTED = '.slipway-requirements.txt'

/** What to install, and for which Python. */
export interface PythonInstall extends SettingsInput {
  /** The name of the agent's project in a workspace. */
  readonly member?: string | undefined
  readonly pyproject: PyProject
  /** The version of the image's Python, with three parts. */
  readonly version: string
  readonly platform: Platform
  readonly progress: Progress
}

/**
 * Makes a virtual environment with the packages of a project in its staging folder. The project's
 * own manager says which, and uv installs them for the image's Python.
 */
export async function installPackages(uv: Uv, install: PythonInstall): Promise<void> {
  const { folder, packages, version, platform } = install
  const minor = version.split('.').slice(0, 2).join('.')
  const find = ['python', 'find', '--no-project', '--system', minor]
  const own = await uv.run(folder, find).catch(() => undefined)
  // Another Python or machine can't build packages for the image, only unpack finished ones.
  const isNative = own !== undefined && isHostPlatform(platform)
  const python = own?.trim() ?? '3'
  await uv.run(folder, ['venv', '--quiet', '--no-project', '--python', python, ENVIRONMENT])
  const wanted = await requirementsOf(uv, install, isNative ? python : undefined)
  const machine = platform.architecture === 'amd64' ? 'x86_64' : 'aarch64'
  const foreign = ['--only-binary', ':all:', '--python-platform', `${machine}-manylinux_2_28`]
  const files = await requirementFiles(
    folder,
    wanted.at(-1) === EXPORTED ? EXPORTED : packages.file,
  )
  for (const file of await withoutEditableRepositories(folder, files))
    install.progress(
      `warning: ${file === EXPORTED ? packages.file : file} has -e before a repository, ` +
        'which is installed without it: an image has no clone',
    )
  const { variables, offline } = await installSettings(install, [...files.values()])
  const args = ['pip', 'install', '--quiet', '--python', `${ENVIRONMENT}/bin/python`]
  // As pip, uv takes the best version of all indexes; what a lockfile names has hashes.
  const strategy = ['--python-version', version, '--index-strategy', 'unsafe-best-match']
  await uv
    .run(
      folder,
      [
        ...args,
        ...strategy,
        ...(offline ? ['--no-index'] : []),
        ...(isNative ? [] : foreign),
        ...wanted,
      ],
      variables,
    )
    .catch((cause: unknown) => {
      if (isNative || !(cause instanceof Error)) throw cause
      throw new Error(
        `${cause.message}\nthe image has Python ${version} for linux/${platform.architecture}, ` +
          'which this machine lacks, so only finished wheels can be installed; install Python ' +
          `${minor}, name an image with this machine's Python and platform as base, or use a ` +
          'Dockerfile',
        { cause },
      )
    })
}

async function requirementsOf(
  uv: Uv,
  { folder, member, packages, pyproject }: PythonInstall,
  python: string | undefined,
): Promise<string[]> {
  const { manager, file } = packages
  if (manager === 'pip')
    return file === 'requirements.txt' ? ['--requirement', file] : ['--editable', '.']
  const isLocked = file !== 'pyproject.toml'
  if (manager === 'uv') {
    const check = isLocked && python !== undefined ? ['--locked'] : isLocked ? ['--frozen'] : []
    await uv
      .run(folder, [
        'export',
        '--quiet',
        '--no-dev',
        '--emit-index-url',
        '--output-file',
        EXPORTED,
        ...check,
        ...(member === undefined ? [] : ['--package', member]),
        ...(python === undefined ? [] : ['--python', python]),
      ])
      .catch((cause: unknown) => {
        if (!(cause instanceof Error) || !cause.message.includes('--locked')) throw cause
        throw new Error(`${cause.message}\nuv.lock doesn't fit pyproject.toml: run uv lock`, {
          cause,
        })
      })
    return ['--no-deps', '--requirement', EXPORTED]
  }
  const run = async (args: readonly string[]): Promise<string> =>
    await uv.run(folder, ['tool', 'run', '--quiet', ...BROUGHT[manager], ...args])
  if (!isLocked) await run(['lock'])
  const shown = {
    poetry: ['export', '--only', 'main', '--with-credentials'],
    pdm: ['export', '--prod', '--format', 'requirements'],
  }[manager]
  await writeFile(join(folder, EXPORTED), await run(shown))
  const own = isPackage(pyproject) ? ['--editable', '.'] : []
  return ['--no-deps', '--requirement', EXPORTED, ...own]
}
