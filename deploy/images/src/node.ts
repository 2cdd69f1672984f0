import { stat } from 'node:fs/promises'
import { hostFileEntry } from './entries.ts'
import type { LayerCache } from './layer-cache.ts'
import { hostPlatform, type Layer } from './oci.ts'

/** The oldest Node.js that runs TypeScript without a flag or a warning. */
const OLDEST = [24, 12] as const

function assertUsable(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    throw new Error(
      `images need Node.js ${OLDEST.join('.')} or newer, this is ${process.versions.node}`,
    )
  }
  // Distributions link against their own copies of libraries that the image doesn't have.
  const shared = Object.entries(process.config.variables)
    .filter(([name, value]) => name.startsWith('node_shared') && String(value) === 'true')
    .map(([name]) => name)
  if (shared.length > 0) {
    throw new Error(
      `${process.execPath} needs shared libraries (${shared.join(', ')}): run with a stand-alone Node.js`,
    )
  }
}

/**
 * A layer with the Node.js that runs this, as /usr/local/bin/node: agents get the version that the
 * checks ran with.
 */
export async function nodeLayer(cache: LayerCache): Promise<Layer> {
  assertUsable()
  const { size, mtimeMs } = await stat(process.execPath)
  // Hashing 120 MB at every build would cost more than all the rest: a file that looks the same is
  // the same.
  const recipe = { kind: 'node', version: process.versions.node, ...hostPlatform(), size, mtimeMs }
  return cache.layerOfRecipe(recipe, async () => {
    const entry = await hostFileEntry('usr/local/bin/node', process.execPath)
    return [{ ...entry, mode: 0o755 }]
  })
}
