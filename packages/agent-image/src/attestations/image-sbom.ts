import type { LayerCache } from '../image/layer-cache.ts'
import type { Image } from '../image/oci.ts'
import { isWhiteout, removedBy } from '../image/whiteouts.ts'
import { applicationComponent, sbom, type Component } from '../sbom.ts'
import { layerComponents } from './layer-components.ts'

/** Returns the software bill of materials of an image, as its layers have it. */
export async function imageSbom(name: string, image: Image, cache: LayerCache): Promise<string> {
  const found = new Map<string, readonly Component[]>()
  for (const layer of image.layers) {
    const components = Object.entries(await layerComponents(layer, cache))
    // What a layer removes is below it.
    for (const [path] of components) if (isWhiteout(path)) removeBelow(found, removedBy(path))
    for (const [path, each] of components) if (each.length > 0) found.set(path, each)
  }
  const subject = applicationComponent(name, image.manifest.digest)
  return sbom(subject, [...found.values()].flat())
}

function removeBelow(found: Map<string, unknown>, isRemoved: (path: string) => boolean): void {
  for (const each of found.keys()) if (isRemoved(each)) found.delete(each)
}
