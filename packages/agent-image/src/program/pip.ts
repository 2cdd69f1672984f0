import type { Platform } from '../image/oci.ts'
import { isHostPlatform } from '../base/platform.ts'
import { runProgram } from '../run-program.ts'

/**
 * Runs pip with the Python and platform of the image in the markers of requirements, for example
 * `python_full_version < "3.11.3"` or `sys_platform == "linux"`, because pip's options don't change
 * them.
 */
const PIP = `
import json, sys
from pip._internal.cli.main import main
from pip._vendor.packaging import markers

image = json.loads(sys.argv.pop(1))
own = markers.default_environment
markers.default_environment = lambda: {**own(), **image}
sys.exit(main(sys.argv[1:]))
`

/** What to install, and for which Python. */
export interface PipOptions {
  readonly folder: string
  readonly target: string
  /** The version of the image's Python, with three parts. */
  readonly version: string
  readonly platform: Platform
  readonly signal?: AbortSignal | undefined
  readonly onLine?: ((line: string) => void) | undefined
}

/** Installs requirements.txt of a folder into `target`, for the Python of an image. */
export async function installRequirements(options: PipOptions): Promise<void> {
  const { folder, target, version, platform } = options
  const own = await python(['-c', 'import sys; print("%d.%d." % sys.version_info[:2])'], options)
  const machine = platform.architecture === 'amd64' ? 'x86_64' : 'aarch64'
  const minor = version.split('.').slice(0, 2).join('.')
  const markers = {
    python_full_version: version,
    python_version: minor,
    ...(!isHostPlatform(platform) && {
      os_name: 'posix',
      sys_platform: 'linux',
      platform_system: 'Linux',
      platform_machine: machine,
      platform_release: '',
      platform_version: '',
    }),
  }
  // Another Python or machine can't build packages for the image, only unpack finished ones.
  const isForeign = !version.startsWith(own.trim()) || !isHostPlatform(platform)
  const libraries = ['manylinux_2_28', 'manylinux_2_17', 'manylinux2014']
  const foreign = [
    '--only-binary=:all:',
    '--implementation=cp',
    `--python-version=${version}`,
    ...libraries.map((name) => `--platform=${name}_${machine}`),
  ]
  await python(
    [
      '-c',
      PIP,
      JSON.stringify(markers),
      'install',
      '--disable-pip-version-check',
      '--no-compile',
      '--no-input',
      '--quiet',
      `--target=${target}`,
      `--requirement=${folder}/requirements.txt`,
      ...(isForeign ? foreign : []),
    ],
    options,
  )
}

async function python(
  args: readonly string[],
  { folder, signal, onLine }: PipOptions,
): Promise<string> {
  try {
    return await runProgram('python3', args, {
      folder,
      signal,
      onLine,
      missing: "can't run python3; install Python with pip to build this agent",
    })
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('python3 ')) throw error
    const message = error.message.replace(/^python3 -c failed/, 'pip failed')
    const isMissing = message.includes("No module named 'pip'")
    throw new Error(`${message}${isMissing ? '\ninstall pip: python3 -m ensurepip' : ''}`, {
      cause: error,
    })
  }
}
