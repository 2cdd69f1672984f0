import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { assembleImage, fileEntry, LayerCache, writeImageArchive } from '@slipway/images'

/**
 * Writes an OCI archive of the pause image, whose container holds a pod's namespaces. The image has
 * one file.
 */
export async function writePauseImage(archive: string, program: string, reference: string) {
  const entry = fileEntry('pause', readFileSync(program), { executable: true })
  const layer = await new LayerCache(join(dirname(archive), 'layers')).layer([entry])
  const image = assembleImage([layer], { entrypoint: ['/pause'], user: '65535:65535' })
  await writeImageArchive(archive, image, reference)
}
