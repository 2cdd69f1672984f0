import { readFileSync } from 'node:fs'
import { assembleImage, fileEntry, LayerCache, type Image } from '@slipway/agent-image/parts'

/**
 * Builds the pause image, whose container holds a pod's namespaces. The image has one file;
 * `cacheDirectory` keeps its layer.
 */
export async function buildPauseImage(program: string, cacheDirectory: string): Promise<Image> {
  const entry = fileEntry('pause', readFileSync(program), { executable: true })
  const layer = await new LayerCache(cacheDirectory).layer([entry])
  return assembleImage([layer], { entrypoint: ['/pause'], user: '65535:65535' })
}
