import { readLayer } from '../checks/layer-files.ts'
import type { Layer } from '../image/oci.ts'

/** Larger files are skipped. */
const MOST_BYTES = 32 << 20

/** Reads those files of a layer whose paths are wanted. Paths have no slash at their start. */
export async function layerContents(
  layer: Layer,
  isWanted: (path: string) => boolean,
): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  await readLayer(layer, async ({ path, type, size }, content) => {
    if (type !== 'file' || size > MOST_BYTES || !isWanted(path)) return
    const chunks: Buffer[] = []
    for await (const chunk of content) chunks.push(chunk)
    found.set(path, Buffer.concat(chunks))
  })
  return found
}
