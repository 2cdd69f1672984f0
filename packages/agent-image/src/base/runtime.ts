import { debianLayer } from './debian.ts'
import type { LayerCache } from '../image/layer-cache.ts'
import { nodeLayer } from './node.ts'
import type { Layer } from '../image/oci.ts'
import type { Progress } from '../progress.ts'
import { nodeComponent, type Component } from '../sbom.ts'

/** The libraries that Node.js and most native packages link against, also wheels. */
export const BASE_PACKAGES = ['base-files', 'ca-certificates', 'libc6', 'libgcc-s1', 'libstdc++6']

/**
 * What start commands and scripts of packages expect of an image, as the public slim images have
 * it: `sh`, `bash`, `env` and the usual small programs.
 */
export const SHELL_PACKAGES = ['bash', 'coreutils', 'dash', 'findutils', 'grep', 'sed'] as const

/** The lower layers of an image that runs Node.js: Debian's libraries and Node.js. */
export interface Runtime {
  readonly layers: readonly Layer[]
  readonly components: readonly Component[]
}

/** What else a runtime has. */
export interface RuntimeOptions {
  readonly signal?: AbortSignal | undefined
  /** More packages of Debian. */
  readonly packages?: readonly string[]
}

/** Returns Debian's libraries and the running Node.js, from the cache if it has them. */
export async function nodeRuntime(
  cache: LayerCache,
  progress: Progress,
  { signal, packages = [] }: RuntimeOptions = {},
): Promise<Runtime> {
  const all = [...BASE_PACKAGES, ...packages]
  const { layer, components } = await debianLayer(cache, all, progress, signal)
  return {
    layers: [layer, await nodeLayer(cache)],
    components: [...components, nodeComponent()],
  }
}
