import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Progress } from '../progress.ts'
import { runProgram } from '../run-program.ts'
import { isUsable } from '../user-folders.ts'
import { keptFolder } from './kept-folder.ts'

/** The uv that is brought where there is none, so that builds of different machines agree. */
export const UV_REQUIREMENT = 'uv~=0.13.9'

/**
 * Variables that package managers need. Programs that packages run when they are built see no
 * others, so they see no credentials but those of package indexes.
 */
const ALLOWED: readonly RegExp[] = [
  /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TEMP|TMP)$/,
  /^XDG_(CACHE|CONFIG|DATA|STATE)_(HOME|DIRS)$/,
  /^((HTTPS?|ALL|NO)_PROXY|SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|GIT_SSL_CAINFO)$/i,
  /^(CC|CXX|AR|LD|CFLAGS|CXXFLAGS|CPPFLAGS|LDFLAGS|PKG_CONFIG_PATH|CMAKE_\w+|MAKEFLAGS)$/,
  /^(NETRC|PIP_\w+|PDM_PYPI_\w+|POETRY_(HTTP_BASIC|REPOSITORIES|CERTIFICATES)_\w+)$/,
  /^UV_(DEFAULT_INDEX|INDEX\w*|EXTRA_INDEX_URL|FIND_LINKS|INSECURE_HOST)$/,
  /^UV_(CACHE_DIR|CONFIG_FILE|KEYRING_PROVIDER|NATIVE_TLS|SYSTEM_CERTS|HTTP_\w+|OFFLINE)$/,
  /^UV_(LINK_MODE|CONCURRENT_\w+|EXCLUDE_NEWER|REQUEST_TIMEOUT|TORCH_BACKEND)$/,
  /^((SETUPTOOLS_SCM|VCS_VERSIONING)_PRETEND_VERSION\w*|PDM_BUILD_SCM_VERSION)$/,
  /^POETRY_DYNAMIC_VERSIONING_BYPASS$/,
]

/** Returns the variables of this process that package managers and what they run may see. */
export function managerEnvironment(variables: NodeJS.ProcessEnv): Record<string, string> {
  const allowed = Object.entries(variables).filter(
    (each): each is [string, string] =>
      each[1] !== undefined && isUsable(each) && ALLOWED.some((pattern) => pattern.test(each[0])),
  )
  return {
    ...Object.fromEntries(allowed),
    UV_PYTHON_DOWNLOADS: 'never',
    UV_NO_PROGRESS: '1',
    NO_COLOR: '1',
    PYTHONDONTWRITEBYTECODE: '1',
  }
}

/** How uv runs. */
export interface UvOptions {
  /** Keeps a uv that has been brought. */
  readonly toolsFolder: string
  readonly progress: Progress
  readonly signal?: AbortSignal | undefined
  readonly onOutput?: ((line: string) => void) | undefined
}

/** The package manager uv, of this machine or brought from the package index. */
export class Uv {
  readonly version: string
  /** The file of the program. */
  readonly program: string
  readonly #options: UvOptions

  private constructor(program: string, version: string, options: UvOptions) {
    this.program = program
    this.version = version
    this.#options = options
  }

  static async open(options: UvOptions): Promise<Uv> {
    const program = findProgram('uv') ?? (await bring(options))
    const environment = managerEnvironment(process.env)
    const { signal } = options
    const missing = `can't run ${program}`
    const version = await runProgram(program, ['--version'], { environment, signal, missing })
    return new Uv(program, /^uv (\S+)/.exec(version)?.[1] ?? version.trim(), options)
  }

  /** Runs uv in a folder; returns its stdout. `variables` are added to those that it may see. */
  async run(
    folder: string,
    args: readonly string[],
    variables: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const { signal, onOutput } = this.#options
    return await runProgram(this.program, args, {
      folder,
      environment: { ...managerEnvironment(process.env), ...variables },
      signal,
      onLine: onOutput,
      missing: `can't run ${this.program}`,
    })
  }
}

function findProgram(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file))
}

async function bring({ toolsFolder, progress, signal, onOutput }: UvOptions): Promise<string> {
  const folder = join(toolsFolder, UV_REQUIREMENT.replace(/\W+/g, '-'))
  await keptFolder(folder, async (draft) => {
    progress(
      `uv is not installed here: bringing ${UV_REQUIREMENT} from the package index to ` +
        toolsFolder,
    )
    const install = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input']
    await runProgram('python3', [...install, '--quiet', `--target=${draft}`, UV_REQUIREMENT], {
      environment: managerEnvironment(process.env),
      signal,
      onLine: onOutput,
      missing: "can't run python3 to bring uv; install uv or Python with pip to build this agent",
    }).catch((cause: unknown) => {
      if (!(cause instanceof Error) || !cause.message.includes("No module named 'pip'")) throw cause
      throw new Error('uv and pip are missing; install uv, or pip: python3 -m ensurepip', { cause })
    })
  })
  return join(folder, 'bin', 'uv')
}
