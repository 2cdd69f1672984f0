import { debianLayer } from './debian.ts'
import type { Entry } from './entries.ts'
import { LayerCache } from './layer-cache.ts'
import { assembleImage, type Image, type ImageConfig } from './oci.ts'
import type { Progress } from './progress.ts'

/** What an image of Debian packages holds and starts. */
export interface DebianImageOptions extends ImageConfig {
  /** Packages to unpack; what they depend on comes with them. No maintainer script runs. */
  packages: readonly string[]
  /** More files in a layer of their own, a start script for instance. */
  files?: readonly Entry[]
  cacheDirectory?: string
  progress?: Progress
}

/**
 * Builds an image of Debian packages, a redis or a Postgres for instance, where no image registry
 * can be reached.
 */
export async function buildDebianImage(options: DebianImageOptions): Promise<Image> {
  const { packages, files = [], cacheDirectory, progress = () => {}, ...config } = options
  const cache = new LayerCache(cacheDirectory)
  const layers = [await debianLayer(cache, packages, progress)]
  if (files.length > 0) layers.push(await cache.layer(files))
  return assembleImage(layers, config)
}
