import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { namedVariables } from './requirement-files.ts'
import { managerEnvironment } from './uv.ts'
import type { PythonPackages } from './python-project.ts'
import type { PythonSourceFiles } from './python-sources.ts'
import { runProgram } from '../run-program.ts'

const NO_INDEX = 'no-index'
const NO_BINARY = /no-binary/
/** A cache that only this installation has. */
const CACHE = '.slipway-cache'
const COMPILED = /\.(c|cc|cpp|cxx|pyx)$/

/** What is installed, and where. */
export interface SettingsInput {
  /** The staging folder. */
  readonly folder: string
  /** What the image has: where the staging folder will be, and whether its code is compiled. */
  readonly sources: Pick<PythonSourceFiles, 'top' | 'staged'>
  readonly packages: PythonPackages
  readonly signal?: AbortSignal | undefined
}

/** What uv needs to install a project, in addition to its arguments. */
export interface InstallSettings {
  readonly variables: Readonly<Record<string, string>>
  /** Whether no index is asked. uv has no variable for it. */
  readonly offline: boolean
}

/**
 * Returns the settings of a project and of this machine with which its packages are installed.
 * `requirements` are the texts of its requirement files.
 */
export async function installSettings(
  install: SettingsInput,
  requirements: readonly string[],
): Promise<InstallSettings> {
  const settings = install.packages.manager === 'pip' ? await pipSettings(install) : {}
  const { [NO_INDEX]: noIndex = '', ...ofPip } = settings
  const texts = [...requirements]
  for (const name of ['pyproject.toml', 'uv.toml'])
    texts.push(await readFile(join(install.folder, name), 'utf8').catch(() => ''))
  return {
    variables: {
      ...namedVariables(requirements, process.env),
      ...compilerFlags(install),
      ...ofPip,
      // What uv has built from sources, it also takes where a finished wheel is wanted.
      ...(texts.some((text) => NO_BINARY.test(text)) && {
        UV_CACHE_DIR: join(install.folder, CACHE),
      }),
    },
    offline: /^(1|true|yes|on)$/i.test(noIndex),
  }
}

/** Has compilers name the image's folder in what they write, not that of one build. */
function compilerFlags({ folder, sources }: SettingsInput): Record<string, string> {
  if (!sources.staged.entries.some(({ path }) => COMPILED.test(path))) return {}
  const flags = (name: string): string =>
    `${process.env[name] ?? ''} -ffile-prefix-map=${folder}=/${sources.top}`.trim()
  return { CFLAGS: flags('CFLAGS'), CXXFLAGS: flags('CXXFLAGS') }
}

/** The settings of pip on this machine, as variables of uv, which doesn't read them. */
async function pipSettings({ folder, signal }: SettingsInput): Promise<Record<string, string>> {
  const names: Readonly<Record<string, string>> = {
    'index-url': 'UV_DEFAULT_INDEX',
    'extra-index-url': 'UV_INDEX',
    'find-links': 'UV_FIND_LINKS',
    'trusted-host': 'UV_INSECURE_HOST',
    [NO_INDEX]: NO_INDEX,
    cert: 'SSL_CERT_FILE',
  }
  const environment = managerEnvironment(process.env)
  const args = ['-m', 'pip', 'config', 'list']
  const options = { folder, environment, signal, missing: 'no python3' }
  const listed = await runProgram('python3', args, options).catch(() => '')
  signal?.throwIfAborted()
  const settings: Record<string, string> = {}
  // pip lists them by name; those of the environment have precedence, then those of `install`.
  const order = (line: string): number => ['g', 'i', ':'].indexOf(line[0] ?? '')
  for (const line of listed.split('\n').toSorted((a, b) => order(a) - order(b))) {
    const [, key = '', value = ''] =
      /^(?:global|install|:env:)\.([\w-]+)=(['"].*['"])$/.exec(line) ?? []
    const name = names[key]
    if (name === undefined || environment[name] !== undefined) continue
    const parts = value
      .slice(1, -1)
      .split(/\\n|\s+/)
      .filter((part) => part !== '')
    settings[name] = parts.join(name === 'UV_FIND_LINKS' ? ',' : ' ')
  }
  return settings
}
