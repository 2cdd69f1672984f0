import { debianLayer } from './debian.ts'
import type { LayerCache } from '../image/layer-cache.ts'
import { nodeLayer } from './node.ts'
import type { Layer } from '../image/oci.ts'
import type { Progress } from '../progress.ts'
import { nodeComponent, type Component } from '../sbom.ts'

/** The libraries that Node.js and most native packages link against. */
const BASE_PACKAGES = ['base-files', 'ca-certificates', 'libc6', 'libgcc-s1', 'libstdc++6']

/** The lower layers of an image that runs Node.js: Debian's libraries and Node.js. */
export interface Runtime {
  readonly layers: readonly Layer[]
  readonly components: readonly Component[]
}

/** Returns Debian's libraries and the running Node.js, from the cache if it has them. */
export async function nodeRuntime(
  cache: LayerCache,
  progress: Progress,
  signal?: AbortSignal,
): Promise<Runtime> {
  const { layer, components } = await debianLayer(cache, BASE_PACKAGES, progress, signal)
  return {
    layers: [layer, await nodeLayer(cache)],
    components: [...components, nodeComponent()],
  }
}
