import { stat } from 'node:fs/promises'
import { hostFileEntry } from '../image/entries.ts'
import type { LayerCache } from '../image/layer-cache.ts'
import { hostPlatform, type Layer } from '../image/oci.ts'

/** The oldest Node.js that runs TypeScript without a flag or warning. */
const OLDEST = [24, 12] as const

/** Returns why the running Node.js can't be in an image; undefined if it can. */
export function nodeProblem(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    return `images need Node.js ${OLDEST.join('.')} or newer, not ${process.versions.node}`
  }
  // Some distributions link Node.js against shared libraries that the image doesn't have.
  const shared = Object.entries(process.config.variables)
    .filter(([name, value]) => name.startsWith('node_shared') && String(value) === 'true')
    .map(([name]) => name)
  if (shared.length > 0) {
    return (
      `${process.execPath} needs shared libraries (${shared.join(', ')}); ` +
      'use a Node.js from https://nodejs.org'
    )
  }
  return undefined
}

/**
 * Returns a layer with the running Node.js as /usr/local/bin/node, so that agents use the version
 * that the tests ran with.
 */
export async function nodeLayer(cache: LayerCache): Promise<Layer> {
  const problem = nodeProblem()
  if (problem !== undefined) throw new Error(problem)
  const { size, mtimeMs } = await stat(process.execPath)
  // Hashing 120 MB in every build would take longer than all other steps, so the file is identified
  // by its size and modification time.
  const recipe = { kind: 'node', version: process.versions.node, ...hostPlatform(), size, mtimeMs }
  return cache.layerOfRecipe(recipe, async () => {
    const entry = await hostFileEntry('usr/local/bin/node', process.execPath)
    return [{ ...entry, mode: 0o755 }]
  })
}
