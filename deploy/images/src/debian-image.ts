import {
  assembleImage,
  debianLayer,
  LayerCache,
  type Entry,
  type Image,
  type ImageConfig,
  type Progress,
} from '@slipway/agent-image/parts'

/** The content and start command of an image built from Debian packages. */
export interface DebianImageOptions extends ImageConfig {
  /** Packages to unpack, with their dependencies. Maintainer scripts don't run. */
  packages: readonly string[]
  /** Files for an additional layer, for example a start script. */
  files?: readonly Entry[]
  cacheDirectory?: string
  progress?: Progress
}

/** Builds an image from Debian packages, for example Redis, without access to an image registry. */
export async function buildDebianImage(options: DebianImageOptions): Promise<Image> {
  const { packages, files = [], cacheDirectory, progress = () => {}, ...config } = options
  const cache = new LayerCache(cacheDirectory)
  const { layer } = await debianLayer(cache, packages, progress)
  const layers = [layer]
  if (files.length > 0) layers.push(await cache.layer(files))
  return assembleImage(layers, config)
}
