import type { LayerCache } from '../image/layer-cache.ts'
import type { Layer } from '../image/oci.ts'
import type { Progress } from '../progress.ts'
import { debianLayer } from './debian.ts'
import { BASE_PACKAGES, SHELL_PACKAGES } from './runtime.ts'

const DEBIAN_PACKAGES = [...BASE_PACKAGES, 'python3', ...SHELL_PACKAGES]

/** Returns Debian's Python, from the cache if it has it. */
export async function debianPython(
  cache: LayerCache,
  progress: Progress,
  signal?: AbortSignal,
): Promise<{ readonly layer: Layer; readonly version: string }> {
  const { layer, components } = await debianLayer(cache, DEBIAN_PACKAGES, progress, signal)
  const python = components.find(({ name }) => name === 'python3')
  const version = /^\d+\.\d+\.\d+/.exec(python?.version ?? '')?.[0]
  if (version === undefined) throw new Error('Debian has no package python3 with a version')
  return { layer, version }
}
