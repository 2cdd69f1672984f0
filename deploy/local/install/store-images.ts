import { join } from 'node:path'
import { pushImage } from '@slipway/agent-image/parts'
import { buildStoreImages, STORE_IMAGES } from '@slipway/images'
import type { Stack } from '../stack/stack.ts'

/**
 * Returns the setting (PROVIDER_OVERRIDES) that replaces the public images of Redis and Postgres by
 * those in a registry.
 */
export function storeOverrides(registry: string): string {
  const rows = Object.entries(STORE_IMAGES).map(([provider, { repository, tag }]) => [
    provider,
    { image: `${registry}/${repository}:${tag}` },
  ])
  return JSON.stringify(Object.fromEntries(rows))
}

/**
 * Pushes the images of Redis and Postgres, unless the registry has them. Without them only agents
 * with these stores don't start, so a failure is only logged.
 */
export async function pushStoreImages(
  { cacheDir }: Pick<Stack, 'cacheDir'>,
  registry: string,
  log: (line: string) => void,
): Promise<void> {
  const known = await Promise.all(
    Object.values(STORE_IMAGES).map(async ({ repository, tag }) => {
      const url = `http://${registry}/v2/${repository}/manifests/${tag}`
      return (await fetch(url, { method: 'HEAD' })).ok
    }),
  )
  if (known.every(Boolean)) return
  try {
    const cacheDirectory = join(cacheDir, 'images')
    for (const { repository, tag, image } of await buildStoreImages({
      cacheDirectory,
      progress: log,
    }))
      await pushImage(registry, repository, tag, image)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log(`no images of redis and postgres, so agents with these stores don't start: ${reason}`)
  }
}
