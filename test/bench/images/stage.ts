import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

import {
  assembleImage,
  debianLayer,
  debianPython,
  hostTreeEntries,
  LayerCache,
  nodeRuntime,
  SHELL_PACKAGES,
  symlinkEntry,
  writeImageArchive,
  type Layer,
} from '@slipway/agent-image/parts'
import { bundle } from '@slipway/cli/bundle'

/** What both sides have before the first build: their program, and the base. */
export interface ImageStage extends AsyncDisposable {
  /** A folder for the bench. */
  readonly directory: string
  /** The command line as it is published. */
  readonly program: string
  /** A cache of Slipway with only the base. */
  readonly cacheDirectory: string
  /** A storage of buildah with only the base, as `localhost/base-node` and `-python`. */
  readonly storage: string
}

/**
 * Prepares a stage. The base is that of `--base packages` on both sides. That of buildah also has
 * npm or pip, as the public images of Node.js and Python do.
 */
export async function setImageStage(say: (line: string) => void): Promise<ImageStage> {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'slipway-bench-images-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  await bundle(directory)

  say('unpacking the base')
  const cacheDirectory = join(directory, 'base')
  const cache = new LayerCache(cacheDirectory)
  const { layers: node } = await nodeRuntime(cache, say, { packages: SHELL_PACKAGES })
  const { layer: python } = await debianPython(cache, say)
  const ofManagers = new LayerCache(join(directory, 'managers'))
  const pip = await debianLayer(ofManagers, ['python3-pip', 'python3-venv'], say)
  const storage = join(directory, 'storage')
  for (const [name, layers] of [
    ['node', [...node, await npmLayer(ofManagers)]],
    ['python', [python, pip.layer]],
  ] as const) {
    const archive = join(directory, `${name}.tar`)
    const config = { entrypoint: [], command: ['bash'], user: '0', environment: reaching() }
    await writeImageArchive(archive, assembleImage([...layers], config), `localhost/base-${name}:1`)
    execFileSync('buildah', [...storageOptions(storage), 'pull', `oci-archive:${archive}`], {
      stdio: 'pipe',
    })
  }
  const kept = stack.move()
  return {
    directory,
    program: join(directory, 'dist/slipway.js'),
    cacheDirectory,
    storage,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** What reaching the package registries of this machine needs, in each stage of a build. */
const REACHING = /(_PROXY|CA_CERTS|CERT_FILE|CA_BUNDLE|_CERT|_REGISTRY|_INDEX(_URL)?)$/i

/** The variables of this process that reaching package registries needs. */
export function reaching(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (each): each is [string, string] => each[1] !== undefined && REACHING.test(each[0]),
    ),
  )
}

/** The options of buildah for a storage in a folder, with the driver that is fastest. */
export function storageOptions(folder: string): string[] {
  return [`--root=${folder}/root`, `--runroot=${folder}/run`, '--storage-driver=overlay']
}

/** The npm of this machine, where the public images of Node.js have theirs. */
async function npmLayer(cache: LayerCache): Promise<Layer> {
  const npm = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, '../lib/node_modules/npm'))
    .find((folder) => existsSync(join(folder, 'bin/npm-cli.js')))
  if (npm === undefined)
    throw new Error('this bench needs npm on PATH, from the archive of Node.js')
  const place = 'usr/local/lib/node_modules/npm'
  return await cache.layer([
    ...(await hostTreeEntries(place, npm)),
    symlinkEntry('usr/local/bin/npm', `/${place}/bin/npm-cli.js`),
  ])
}
