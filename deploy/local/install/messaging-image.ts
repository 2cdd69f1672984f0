import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AgentImageBuilder, pushImage } from '@slipway/images'
import type { Stack } from '../stack/stack.ts'

type Place = Pick<Stack, 'checkout' | 'cacheDir'>

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
  const builder = await openMessagingImage(place, log)
  await pushImage(registry, REPOSITORY, tag, builder.assemble('agent').image, log)
}

/** Builds the image's layers, or takes them from the cache. */
export async function openMessagingImage(
  place: Place,
  log: (line: string) => void,
): Promise<AgentImageBuilder> {
  return await AgentImageBuilder.open(sources(place), {
    cacheDirectory: join(place.cacheDir, 'images'),
    progress: log,
  })
}

function sources({ checkout }: Pick<Place, 'checkout'>): string {
  return join(checkout, 'examples/web-adapter')
}

function tagOf(place: Pick<Place, 'checkout'>): string {
  const files = readdirSync(join(sources(place), 'src')).filter(
    (name) => !name.endsWith('.test.ts'),
  )
  const hash = createHash('sha256').update(process.versions.node)
  for (const name of ['package.json', ...files.toSorted().map((file) => `src/${file}`)]) {
    hash.update(JSON.stringify([name, readFileSync(join(sources(place), name), 'utf8')]))
  }
  return hash.digest('hex').slice(0, 12)
}
