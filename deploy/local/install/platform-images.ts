import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Image } from '@slipway/agent-image/parts'
import { buildNatsImage, buildPostgresImage, buildServiceImage, SERVICES } from '@slipway/images'
import type { Stack } from '../stack/stack.ts'
import { builtConsole } from './console.ts'
import { buildTool } from './toolchain.ts'

type Place = Pick<Stack, 'checkout' | 'cacheDir' | 'owner'>

const stores = ['postgres', 'nats'] as const

/** One of the platform's images; in a registry it is `slipway/<name>`. */
export type PlatformImage = keyof typeof SERVICES | (typeof stores)[number]

/** All images of the platform. The last three are for installs that aren't for production. */
export const PLATFORM_IMAGES: readonly PlatformImage[] = [
  'catalog',
  'deployer',
  'observability',
  'gateway',
  'web-adapter',
  'chart-test',
  'chart-test-agent',
  'identity-provider',
  ...stores,
]

/** Builds an image of the platform, from the cache's layers where nothing has changed. */
export async function buildPlatformImage(
  place: Place,
  name: PlatformImage,
  log: (line: string) => void,
): Promise<Image> {
  const { checkout } = place
  const options = { cacheDirectory: join(place.cacheDir, 'images'), progress: log }
  if (name === 'postgres') return await buildPostgresImage(checkout, options)
  if (name === 'gateway') {
    const consoleFolder = await builtConsole(place, log)
    return await buildServiceImage({ checkout, ...SERVICES[name], ...options, consoleFolder })
  }
  if (name !== 'nats') return await buildServiceImage({ checkout, ...SERVICES[name], ...options })
  const program = join(await buildTool(place, 'nats-server', log), 'nats-server')
  const goMod = await readFile(join(checkout, 'deploy/local/tools/nats-server/go.mod'), 'utf8')
  return await buildNatsImage(checkout, { program, goMod }, options)
}
