import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pushImage } from '@slipway/agent-image/parts'
import type { Stack } from '../stack/stack.ts'
import { buildPlatformImage } from './platform-images.ts'

type Place = Pick<Stack, 'checkout' | 'cacheDir' | 'owner'>

const REPOSITORY = 'slipway/web-adapter'

/** The adapters that the image serves. */
export const SERVED_ADAPTERS = 'web'

/**
 * Returns the name of the image that serves deployments' interfaces, examples/web-adapter. Its tag
 * is a hash of the sources, so services can be configured before the image is built.
 */
export function messagingImage(place: Pick<Place, 'checkout'>, registry: string): string {
  return `${registry}/${REPOSITORY}:${tagOf(place)}`
}

/** Builds the image and pushes it, unless the registry has it already. */
export async function pushMessagingImage(
  place: Place,
  registry: string,
  log: (line: string) => void,
): Promise<void> {
  const tag = tagOf(place)
  const known = await fetch(`http://${registry}/v2/${REPOSITORY}/manifests/${tag}`, {
    method: 'HEAD',
  })
  if (known.ok) return
  await pushImage(registry, REPOSITORY, tag, await buildPlatformImage(place, 'web-adapter', log))
}

function tagOf({ checkout }: Pick<Place, 'checkout'>): string {
  const sources = join(checkout, 'examples/web-adapter')
  const files = readdirSync(join(sources, 'src')).filter((name) => !name.endsWith('.test.ts'))
  const hash = createHash('sha256').update(process.versions.node)
  for (const name of ['package.json', ...files.toSorted().map((file) => `src/${file}`)]) {
    hash.update(JSON.stringify([name, readFileSync(join(sources, name), 'utf8')]))
  }
  return hash.digest('hex').slice(0, 12)
}
