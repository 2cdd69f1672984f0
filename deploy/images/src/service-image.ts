import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  APPLICATION_PATH,
  assembleImage,
  fileEntry,
  hostTreeEntries,
  LayerCache,
  nodeRuntime,
  sbom,
  SBOM_PATH,
  type Component,
  type Entry,
  type Image,
  type Layer,
  type Progress,
  type Runtime,
} from '@slipway/agent-image/parts'
import { bundledComponents } from './bundled-components.ts'
import { imageLabels, readRelease } from './labels.ts'
import { workspaceClosure } from './workspace.ts'

/** The user and group of the platform's images, by number: Kubernetes can't verify a name. */
export const PLATFORM_USER = '1000:1000'

/** What an image of a package of the workspace is made of. */
export interface ServiceImageOptions {
  readonly checkout: string
  /** The package's folder in the checkout, as `services/catalog`. */
  readonly folder: string
  /** The program in that folder of the image. */
  readonly program: string
  readonly title: string
  readonly description: string
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly number[]
  readonly cacheDirectory?: string
  readonly progress?: Progress
  /** The folder with the built console, which the gateway serves; default: that in the checkout. */
  readonly consoleFolder?: string
  /** Debian's and Node.js's layers. Default: those of the cache. */
  readonly runtime?: Runtime
}

/** /app of an image, in the two layers that it is stored in. */
export interface ApplicationFiles {
  readonly dependencies: readonly Entry[]
  readonly sources: readonly Entry[]
}

/** Where the console is built, and where the gateway looks for it. */
const CONSOLE = 'apps/console/dist'

/** Folders of the checkout, outside of all packages, that a package of the workspace serves. */
const SERVED: Readonly<Record<string, readonly string[]>> = {
  'services/gateway': ['docs/guide', 'docs/reference'],
}

/**
 * Returns /app of a package of the workspace: its production closure, the pages that it serves, the
 * license, and the bill of materials of the whole image. `runtime` has the components of the layers
 * below.
 */
export async function applicationFiles(
  checkout: string,
  folder: string,
  runtime: readonly Component[],
  consoleFolder = join(checkout, CONSOLE),
): Promise<ApplicationFiles> {
  const closure = await workspaceClosure(checkout, folder)
  const { subject, components, relations, dependencies, sources } = closure
  const pages = (SERVED[folder] ?? []).map(
    async (each) => await hostTreeEntries(`${APPLICATION_PATH}/${each}`, join(checkout, each)),
  )
  const hasConsole = folder === 'services/gateway' && existsSync(consoleFolder)
  const bundled = hasConsole ? await bundledComponents(consoleFolder) : []
  const bill = sbom(subject, [...components, ...bundled, ...runtime], relations)
  if (hasConsole) pages.push(hostTreeEntries(`${APPLICATION_PATH}/${CONSOLE}`, consoleFolder))
  const served = (await Promise.all(pages)).flat()
  return { dependencies, sources: [...sources, ...served, fileEntry(SBOM_PATH, bill)] }
}

/** Builds the image of a service from Debian's packages, Node.js, and the present installation. */
export async function buildServiceImage(options: ServiceImageOptions): Promise<Image> {
  const { checkout, folder, progress = () => {} } = options
  const cache = new LayerCache(options.cacheDirectory)
  const runtime = options.runtime ?? (await nodeRuntime(cache, progress))
  const { dependencies, sources } = await applicationFiles(
    checkout,
    folder,
    runtime.components,
    options.consoleFolder,
  )
  const layers = [
    ...runtime.layers,
    ...(dependencies.length > 0 ? [await packagesLayer(cache, dependencies)] : []),
    await cache.layer(sources),
  ]
  return assembleImage(layers, {
    entrypoint: ['node', `${folder}/${options.program}`],
    environment: {
      NODE_ENV: 'production',
      NODE_VERSION: process.versions.node,
      ...options.environment,
    },
    user: PLATFORM_USER,
    workingDirectory: `/${APPLICATION_PATH}`,
    ...(options.ports && { ports: [...options.ports] }),
    labels: imageLabels(await readRelease(checkout), options),
  })
}

// A version of a package never changes, so names and sizes identify what is in the layer. Reading
// thousands of files would take most of a build's time.
async function packagesLayer(cache: LayerCache, entries: readonly Entry[]): Promise<Layer> {
  const files = entries.map((entry) => {
    const size = entry.type === 'file' && 'file' in entry.content ? entry.content.sizeBytes : 0
    return [entry.path, entry.mode, entry.type === 'symlink' ? entry.target : size]
  })
  return await cache.layerOfRecipe({ kind: 'packages', files }, async () => entries)
}
