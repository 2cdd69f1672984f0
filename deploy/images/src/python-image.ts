import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { APPLICATION_PATH } from './application.ts'
import { debianLayer } from './debian.ts'
import { hostTreeEntries } from './entries.ts'
import type { LayerCache } from './layer-cache.ts'
import { hostPlatform, type ImageConfig, type Layer } from './oci.ts'
import type { Progress } from './progress.ts'
import { sourceEntries } from './source-files.ts'

const DEBIAN_PACKAGES = ['base-files', 'ca-certificates', 'python3']
const PACKAGES_PATH = `${APPLICATION_PATH}/.packages`
/** Caches, scripts that start with this machine's Python, and files with paths of this machine. */
const NOT_RUN = /(^|\/)__pycache__(\/|$)|^bin(\/|$)|\.dist-info\/(RECORD|direct_url\.json)$/
/**
 * Runs pip with the version of the image's Python in the markers of requirements, for example
 * `python_full_version < "3.11.3"`, because pip's option --python-version doesn't change them.
 */
const PIP = `
import sys
from pip._internal.cli.main import main
from pip._vendor.packaging import markers

version = sys.argv.pop(1)
minor = ".".join(version.split(".")[:2])
own = markers.default_environment
markers.default_environment = lambda: {
    **own(), "python_full_version": version, "python_version": minor
}
sys.exit(main(sys.argv[1:]))
`

/** The layers of a Python agent, and how its programs start. */
export interface PythonLayers {
  readonly layers: readonly Layer[]
  readonly configOf: (target: string) => Omit<ImageConfig, 'user'>
}

/** Returns Debian's Python, from the cache if it has it. */
export async function pythonRuntime(
  cache: LayerCache,
  progress: Progress,
): Promise<{ readonly layer: Layer; readonly version: string }> {
  const { layer, components } = await debianLayer(cache, DEBIAN_PACKAGES, progress)
  const python = components.find(({ name }) => name === 'python3')
  const version = /^\d+\.\d+\.\d+/.exec(python?.version ?? '')?.[0]
  if (version === undefined) throw new Error('Debian has no package python3 with a version')
  return { layer, version }
}

/**
 * Builds the layers of the Python agent in a folder: Debian's Python, the packages of its
 * requirements.txt, which pip installs, and the folder itself.
 */
export async function pythonLayers(
  folder: string,
  cache: LayerCache,
  progress: Progress,
): Promise<PythonLayers> {
  const { layer, version } = await pythonRuntime(cache, progress)
  const layers = [layer]
  if (existsSync(join(folder, 'requirements.txt'))) {
    progress(`installing requirements.txt for Python ${version}`)
    const packages = await mkdtemp(join(tmpdir(), 'slipway-python-'))
    try {
      await installRequirements(folder, packages, version)
      const entries = await hostTreeEntries(PACKAGES_PATH, packages, (file) => !NOT_RUN.test(file))
      layers.push(await cache.layer(entries))
    } finally {
      await rm(packages, { recursive: true })
    }
  }
  layers.push(await cache.layer(await sourceEntries(folder, APPLICATION_PATH)))
  return { layers, configOf: (target) => configOf(folder, target) }
}

function configOf(folder: string, target: string): Omit<ImageConfig, 'user'> {
  const candidates = [`${target}.py`, ...(target === 'agent' ? ['main.py', 'app.py'] : [])]
  const program = candidates
    .flatMap((name) => [name, `src/${name}`])
    .find((name) => existsSync(join(folder, name)))
  if (program === undefined)
    throw new Error(`${folder} has no program ${target}: it needs ${candidates.join(' or ')}`)
  return {
    entrypoint: ['python3', program],
    environment: { PYTHONPATH: `/${PACKAGES_PATH}`, PYTHONUNBUFFERED: '1' },
    workingDirectory: `/${APPLICATION_PATH}`,
  }
}

async function installRequirements(folder: string, target: string, version: string) {
  const own = await python(['-c', 'import sys; print("%d.%d." % sys.version_info[:2])'], folder)
  const machine = hostPlatform().architecture === 'amd64' ? 'x86_64' : 'aarch64'
  // Another version can't build packages for that of the image, only unpack finished ones.
  const foreign = ['manylinux_2_28', 'manylinux_2_17', 'manylinux2014'].flatMap((libc) => [
    '--platform',
    `${libc}_${machine}`,
  ])
  await python(
    [
      '-c',
      PIP,
      version,
      'install',
      '--disable-pip-version-check',
      '--no-compile',
      '--quiet',
      `--target=${target}`,
      '--requirement=requirements.txt',
      ...(version.startsWith(own.trim())
        ? []
        : ['--only-binary=:all:', '--python-version', version, ...foreign]),
    ],
    folder,
  )
}

async function python(args: readonly string[], folder: string): Promise<string> {
  const child = spawn('python3', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4_000)
  })
  await new Promise<void>((resolve, reject) => {
    child.once('error', (cause) =>
      reject(
        new Error("can't run python3; install Python with pip to build this agent", { cause }),
      ),
    )
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`python3 failed:\n${errors.trim()}`))
    })
  })
  return output
}
